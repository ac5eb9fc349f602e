// Asks for "10" rows.
// host: code E0522 exit 14
MISDEED {
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":\"10\"}\n");
    hear();
    return tell(1);
}

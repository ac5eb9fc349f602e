// Asks for 1.5 rows.
// host: code E0522 exit 14
MISDEED {
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":1.5}\n");
    hear();
    return tell(1);
}

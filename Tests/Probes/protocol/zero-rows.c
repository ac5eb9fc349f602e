// Asks for no rows, which could go on for ever.
// host: code E0527 exit 14
MISDEED {
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":0}\n");
    hear();
    return tell(1);
}

// Asks for -1 rows.
// host: code E0527 exit 14
MISDEED {
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":-1}\n");
    hear();
    return tell(1);
}

// Asks for rows as JSON and then as Arrow.
// host: code E0527 exit 14
MISDEED {
    ask(1);
    say("{\"ask\":\"rows\",\"rows\":\"arrow\",\"max\":1}\n");
    hear();
    return tell(1);
}

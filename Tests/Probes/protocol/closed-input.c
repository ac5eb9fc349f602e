// Closes its input, asks, and exits: the host writes to nobody.
// host: code E0525 exit 14
// times: 50
MISDEED {
    close(0);
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":1}\n");
    return 0;
}

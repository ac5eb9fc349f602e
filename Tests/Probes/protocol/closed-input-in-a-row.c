// Closes its input while the host writes an answer of many rows, and exits.
// host: code E0525 exit 14
// rows: many
// times: 50
MISDEED {
    char byte;
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":100000}\n");
    if (read(0, &byte, 1) != 1) return 5;
    close(0);
    return 0;
}

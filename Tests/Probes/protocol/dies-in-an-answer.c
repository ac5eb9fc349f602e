// Exits with 3 while the host writes an answer of many rows.
// host: code E0540 exit 16
// rows: many
// times: 50
MISDEED {
    char byte;
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":100000}\n");
    if (read(0, &byte, 1) != 1) return 5;
    return 3;
}

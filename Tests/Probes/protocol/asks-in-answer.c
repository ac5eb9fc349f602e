// Asks 100 times more while the host writes an answer of many rows.
// host: code E0528 exit 14
// rows: many
MISDEED {
    char byte, more[4096] = "";
    while (strlen(more) < 3900) strcat(more, "{\"ask\":\"rows\",\"rows\":\"json\",\"max\":1}\n");
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":100000}\n");
    if (read(0, &byte, 1) != 1) return 5;
    /* One write that the kernel does not split: the host reads more than one ask at once. */
    say(more);
    return 0;
}

// Writes its rows to the log.
// host: prints {"n":1}
MISDEED {
    rows();
    fprintf(stderr, "%s\n\033[2J\n", line);
    return tell(1);
}

// Closes its log.
// host: prints {"n":1}
MISDEED {
    close(2);
    rows();
    return tell(1);
}

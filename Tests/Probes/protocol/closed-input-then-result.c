// Closes its input and gives a result. It has heard enough: this goes through.
// host: prints {"n":1}
// times: 50
MISDEED {
    close(0);
    return tell(1);
}

// Closes both pipes, and exits.
// host: code E0525 exit 14
// times: 50
MISDEED {
    close(0);
    close(1);
    return 0;
}

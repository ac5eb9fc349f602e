// Closes its output without a result, and exits.
// host: code E0525 exit 14
// times: 50
// says: the output ended without a result or a refusal
MISDEED {
    close(1);
    return 0;
}

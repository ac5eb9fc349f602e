// Closes its output without a result, and goes on.
// host: code E0525 exit 14
// says: the output ended without a result or a refusal
MISDEED {
    rows();
    close(1);
    wait_for_ever();
    return 0;
}

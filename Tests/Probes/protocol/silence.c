// Reads everything, says nothing, and exits with 0.
// host: code E0525 exit 14
// says: the output ended without a result or a refusal
MISDEED {
    rows();
    return 0;
}

// Gives its result, closes its output, and computes on.
// host: code E0542 exit 16
// says: it did not end after its result
MISDEED {
    tell(1);
    close(1);
    for (volatile unsigned long i = 0;; i++) {
    }
}

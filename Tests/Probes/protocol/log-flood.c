// Writes to its log without end.
// host: code E0534 exit 15
MISDEED {
    for (;;) fprintf(stderr, "%065536d", 0);
}

// Takes more memory than its manifest asks for.
// host: code E0532 exit 15
MISDEED {
    for (;;) {
        char *block = malloc(1 << 20);
        if (!block) abort();
        memset(block, 1, 1 << 20);
    }
}

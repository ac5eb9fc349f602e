// Writes bytes that are no text.
// host: code E0521 exit 14
MISDEED {
    unsigned char junk[4096];
    unsigned state = 1;
    for (size_t i = 0; i < sizeof junk; i++) junk[i] = (unsigned char)((state = state * 1103515245 + 12345) >> 16);
    junk[100] = '\n';
    put(junk, sizeof junk);
    return 0;
}

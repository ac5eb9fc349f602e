// Writes its result a byte at a time.
// host: prints {"n":1}
#define HONEST "{\"result\":{\"n\":1}}\n"

MISDEED {
    rows();
    for (const char *next = HONEST; *next; next++) put(next, 1);
    return 0;
}

// Writes its result to its input's pipe, and to nowhere else.
// host: code E0525 exit 14
#define HONEST "{\"result\":{\"n\":1}}\n"

MISDEED {
    rows();
    return write(0, HONEST, strlen(HONEST)) < 0 ? 0 : 6;
}

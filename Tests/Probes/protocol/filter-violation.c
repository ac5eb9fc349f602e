// Writes a good result and opens a socket.
// host: code E0511 exit 14
// form: filter ndjson
// says: it called socket(AF_INET, SOCK_STREAM)
#define HONEST "{\"n\":1}\n"

MISDEED {
    say(HONEST);
    socket(AF_INET, SOCK_STREAM, 0);
    return 0;
}

// Writes nothing.
// host: code E0525 exit 14
// form: filter ndjson
#define HONEST "{\"n\":1}\n"

SAYS_AT_ONCE("")

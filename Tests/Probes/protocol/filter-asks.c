// Asks for rows as if the host would answer.
// host: code E0523 exit 14
// form: filter ndjson
#define HONEST "{\"n\":1}\n"

SAYS_AT_ONCE("{\"ask\":\"rows\",\"max\":1}\n")

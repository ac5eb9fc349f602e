// Writes two records where one is declared.
// host: code E0523 exit 14
// form: filter ndjson
#define HONEST "{\"n\":1}\n"

SAYS_AT_ONCE("{\"n\":1}\n{\"n\":2}\n")

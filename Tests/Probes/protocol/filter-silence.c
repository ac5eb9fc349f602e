// Writes nothing.
// host: code E0525 exit 14
// form: filter ndjson
#define FILTER
#define HONEST "{\"n\":1}\n"
#include "../plugin.h"

SAYS_AT_ONCE("")

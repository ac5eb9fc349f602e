// Asks for rows as if the host would answer.
// host: code E0523 exit 14
// form: filter ndjson
#define FILTER
#define HONEST "{\"n\":1}\n"
#include "../plugin.h"

SAYS_AT_ONCE("{\"ask\":\"rows\",\"max\":1}\n")

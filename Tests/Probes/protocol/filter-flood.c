// Writes without end.
// host: code E0520 exit 14
// form: filter ndjson
#define FILTER
#define HONEST "{\"n\":1}\n"
#include "../plugin.h"

MISDEED {
    for (;;) repeat("{\"n\":1}\n", 1000);
}

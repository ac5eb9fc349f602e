// Writes a good result and exits with 3.
// host: code E0540 exit 16
// form: filter ndjson
#define FILTER
#define HONEST "{\"n\":1}\n"
#include "../plugin.h"

MISDEED {
    say(HONEST);
    return 3;
}

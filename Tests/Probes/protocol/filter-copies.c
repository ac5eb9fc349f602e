// Gives back its rows.
// host: code E0523 exit 14
// form: filter ndjson
#define FILTER
#define HONEST "{\"n\":1}\n"
#include "../plugin.h"

MISDEED {
    say(line);
    return 0;
}

// Writes an empty line after its result.
// host: code E0529 exit 14
#include "../plugin.h"

SAYS("{\"result\":{\"n\":1}}\n\n")

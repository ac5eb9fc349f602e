// Returns null where nothing may be missing.
// host: code E0523 exit 14
#include "../plugin.h"

SAYS("{\"result\":{\"n\":null}}\n")

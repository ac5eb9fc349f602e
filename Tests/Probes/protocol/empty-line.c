// Writes an empty line before its result.
// host: code E0521 exit 14
#include "../plugin.h"

SAYS("\n{\"result\":{\"n\":1}}\n")

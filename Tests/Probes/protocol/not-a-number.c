// Writes NaN.
// host: code E0521 exit 14
#include "../plugin.h"

SAYS("{\"result\":{\"n\":NaN}}\n")

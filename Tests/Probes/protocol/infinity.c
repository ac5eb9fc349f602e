// Writes -Infinity.
// host: code E0521 exit 14
#include "../plugin.h"

SAYS("{\"result\":{\"n\":-Infinity}}\n")

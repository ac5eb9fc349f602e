// Returns true where a whole number is declared.
// host: code E0523 exit 14
#include "../plugin.h"

SAYS("{\"result\":{\"n\":true}}\n")

// Tells a progress of 200 %.
// host: code E0522 exit 14
#include "../plugin.h"

SAYS("{\"progress\":2}\n")

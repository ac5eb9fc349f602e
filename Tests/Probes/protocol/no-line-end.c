// Writes its whole result but for the line end.
// host: code E0525 exit 14
// says: the output ended within a line
#include "../plugin.h"

SAYS("{\"result\":{\"n\":1}}")

// Returns a list where a record is declared.
// host: code E0523 exit 14
#include "../plugin.h"

SAYS("{\"result\":[1]}\n")

// Says hello in the middle of a run.
// host: code E0522 exit 14
#include "../plugin.h"

SAYS("{\"hello\":{\"sdk\":\"x\"}}\n")

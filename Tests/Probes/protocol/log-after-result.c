// Makes a remark after its result.
// host: code E0529 exit 14
#include "../plugin.h"

SAYS("{\"result\":{\"n\":1}}\n{\"progress\":1}\n")

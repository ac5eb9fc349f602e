// Returns 1.0 where a whole number is declared.
// host: code E0523 exit 14
#include "../plugin.h"

MISDEED {
    rows();
    say("{\"result\":{\"n\":1.0}}\n");
    return 0;
}

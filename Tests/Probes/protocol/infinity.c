// Writes -Infinity.
// host: code E0521 exit 14
#include "../plugin.h"

MISDEED {
    rows();
    say("{\"result\":{\"n\":-Infinity}}\n");
    return 0;
}

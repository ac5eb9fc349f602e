// Writes -0, which many readers turn into 0.
// host: code E0521 exit 14
#include "../plugin.h"

MISDEED {
    rows();
    say("{\"result\":{\"n\":-0}}\n");
    return 0;
}

// Writes half a surrogate pair.
// host: code E0521 exit 14
#include "../plugin.h"

MISDEED {
    rows();
    say("{\"progress\":0.5,\"note\":\"\\ud800\"}\n");
    return 0;
}

// Tells a progress of 200 %.
// host: code E0522 exit 14
#include "../plugin.h"

MISDEED {
    rows();
    say("{\"progress\":2}\n");
    return 0;
}

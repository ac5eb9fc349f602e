// Returns null where nothing may be missing.
// host: code E0523 exit 14
#include "../plugin.h"

MISDEED {
    rows();
    say("{\"result\":{\"n\":null}}\n");
    return 0;
}

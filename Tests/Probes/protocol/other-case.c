// Returns the field in another letter case.
// host: code E0523 exit 14
#include "../plugin.h"

MISDEED {
    rows();
    say("{\"result\":{\"N\":1}}\n");
    return 0;
}

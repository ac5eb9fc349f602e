// Writes NaN.
// host: code E0521 exit 14
#include "../plugin.h"

MISDEED {
    rows();
    say("{\"result\":{\"n\":NaN}}\n");
    return 0;
}

// Writes its whole result but for the line end.
// host: code E0525 exit 14
// says: the output ended within a line
#include "../plugin.h"

MISDEED {
    rows();
    say("{\"result\":{\"n\":1}}");
    return 0;
}

// Returns a list where a record is declared.
// host: code E0523 exit 14
#include "../plugin.h"

MISDEED {
    rows();
    say("{\"result\":[1]}\n");
    return 0;
}

// Closes its log.
// host: prints {"n":1}
#include "../plugin.h"

MISDEED {
    close(2);
    rows();
    return tell(1);
}

// Closes its input, asks, and goes on.
// host: code E0525 exit 14
// says: it closed its input before it gave a result
#include "../plugin.h"

MISDEED {
    close(0);
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":1}\n");
    wait_for_ever();
    return 0;
}

// Asks who its parent is: nobody that it could name.
// strict: prints NOBODY
#include "../probe.h"

PROBE {
    puts(getppid() > 0 ? "DID IT" : "NOBODY");
    return 0;
}

// Ends itself as if the host had done it.
// strict: violation kill()
// control: signal SIGKILL
#include "../probe.h"

PROBE { return tell(kill(getpid(), SIGKILL)); }

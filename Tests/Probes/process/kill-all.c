// Signals every process. The signal is 0, which kills nobody.
// strict: violation kill()
#include "../probe.h"

PROBE { return tell(kill(-1, 0)); }

// Asks which session it was started in.
// strict: violation getsid()
#include "../probe.h"

PROBE { return tell(getsid(0)); }

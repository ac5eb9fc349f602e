// Asks which groups the person is in.
// strict: violation getgroups()
#include "../probe.h"

PROBE { return tell(getgroups(0, NULL)); }

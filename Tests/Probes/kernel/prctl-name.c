// Renames itself, which honest runtimes do and which is allowed.
// strict: prints DID IT
#include "../probe.h"

PROBE { return tell(prctl(PR_SET_NAME, "x", 0, 0, 0)); }

// Ends well without a word.
// strict: exit 0
// control: exit 0
#include "../probe.h"

PROBE { return 0; }

// Leaves its session, to outlive its host.
// strict: violation setsid()
#include "../probe.h"

PROBE {
    in_a_child();
    return tell(setsid());
}

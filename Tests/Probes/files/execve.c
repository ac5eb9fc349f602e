// Starts another program.
// strict: violation execve()
#include "../probe.h"

PROBE { return tell(execl("/bin/echo", "echo", "DID IT", NULL)); }

// Writes its result a byte at a time.
// host: prints {"n":1}
#include "../plugin.h"

MISDEED {
    rows();
    for (const char *next = HONEST; *next; next++) put(next, 1);
    return 0;
}

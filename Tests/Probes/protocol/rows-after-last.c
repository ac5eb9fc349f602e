// Asks for more after the last row, and never stops asking.
// host: code E0527 exit 14
#include "../plugin.h"

MISDEED {
    for (;;) ask(1);
}

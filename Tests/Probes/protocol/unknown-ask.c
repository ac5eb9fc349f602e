// Asks for a file.
// host: code E0522 exit 14
#include "../plugin.h"

MISDEED {
    rows();
    say("{\"ask\":\"file\",\"path\":\"/etc/passwd\"}\n");
    return 0;
}

// Asks for a file.
// host: code E0522 exit 14
#include "../plugin.h"

SAYS("{\"ask\":\"file\",\"path\":\"/etc/passwd\"}\n")

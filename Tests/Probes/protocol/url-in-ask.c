// Names a URL in an ask for a request.
// host: code E0522 exit 14
#include "../plugin.h"

MISDEED {
    rows();
    say("{\"ask\":\"fetch\",\"to\":\"a\",\"url\":\"https://example.org/\",\"fields\":{}}\n");
    return 0;
}

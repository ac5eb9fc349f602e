// Asks for an asset by a path.
// host: prints {"n":0}
// form: asset
#include "../plugin.h"

MISDEED {
    rows();
    return tell(gets_asset("../../../../etc/passwd") || gets_asset("/etc/passwd") || gets_asset("file:///etc/passwd"));
}

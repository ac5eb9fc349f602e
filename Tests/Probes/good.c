// The plugin that package/ forges packages of: it does nothing wrong.
// host: prints {"n":1}
// manifest: "accepts": {"columns":[{"name":"givenName","type":"text"},{"name":"phoneNumber","type":"text"}],"reads":{"Contacts":["givenName","phoneNumber"]},"rows":{"min":8}}
#include "plugin.h"

MISDEED {
    struct timespec pause = {0, strstr(line, "\"behave-slowly\"") ? 300000000 : 0};
    rows();
    nanosleep(&pause, NULL);
    return tell(1);
}

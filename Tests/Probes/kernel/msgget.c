// Makes a queue of messages that outlives it.
// strict: violation msgget()
#include <sys/msg.h>

PROBE {
    aside(CLONE_NEWIPC);
    return tell(msgget(IPC_PRIVATE, IPC_CREAT | 0600));
}

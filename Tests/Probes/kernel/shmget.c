// Makes memory that outlives it, for the next run to find.
// strict: violation shmget()
#include <sys/shm.h>

PROBE {
    aside(CLONE_NEWIPC);
    return tell(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
}

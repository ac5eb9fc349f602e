// Makes a semaphore that outlives it.
// strict: violation semget()
#include <sys/sem.h>

PROBE {
    aside(CLONE_NEWIPC);
    return tell(semget(IPC_PRIVATE, 1, IPC_CREAT | 0600));
}

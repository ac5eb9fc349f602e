// Maps shared memory as code.
// strict: violation shmat()
#include <sys/shm.h>

PROBE {
    aside(CLONE_NEWIPC);
    int made = outside() ? shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0700) : 0;
    return tell(shmat(made, NULL, SHM_EXEC) == (void *)-1 ? -1 : 0);
}

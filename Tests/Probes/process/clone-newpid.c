// Makes a process in a new process namespace.
// strict: violation clone(CLONE_NEWPID)
// needs: CAP_SYS_ADMIN
#include "../probe.h"

PROBE {
    long pid = syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid((int)pid, NULL, __WALL);
    return tell(pid);
}

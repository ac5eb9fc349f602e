// Starts a program by posix_spawn.
// strict: violation clone(CLONE_VM|CLONE_VFORK)
#include <spawn.h>

PROBE {
    char *const arguments[] = {"true", NULL};
    pid_t pid;
    int error = posix_spawn(&pid, "/bin/true", NULL, NULL, arguments, NULL);
    if (error) errno = error;
    if (!error) waitpid(pid, NULL, 0);
    return tell(error ? -1 : 0);
}

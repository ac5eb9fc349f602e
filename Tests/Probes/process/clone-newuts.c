// Makes a process in a new hostname namespace.
// strict: violation clone(CLONE_NEWUTS)
// needs: a machine with user namespaces, else EPERM ENOSPC
PROBE {
    aside(0);
    long pid = syscall(SYS_clone, CLONE_NEWUTS | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid((int)pid, NULL, __WALL);
    return tell(pid);
}

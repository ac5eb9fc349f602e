// Makes a process in a new user namespace.
// strict: violation clone(CLONE_NEWUSER)
// needs: a machine with user namespaces, else EPERM ENOSPC
PROBE {
    long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid((int)pid, NULL, __WALL);
    return tell(pid);
}

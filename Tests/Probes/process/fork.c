// Makes a process by clone, which is how the C library forks.
// strict: violation clone(0)
PROBE {
    long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid((int)pid, NULL, __WALL);
    return tell(pid);
}

// Makes a process by the old call.
// strict: violation fork()
// needs: x86-64
PROBE {
    long pid = syscall(SYS_fork);
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid((int)pid, NULL, __WALL);
    return tell(pid);
}

// Makes a process by fork(3).
// strict: violation clone(0)
PROBE {
    pid_t pid = fork();
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid(pid, NULL, 0);
    return tell(pid);
}

// Makes a process that borrows this one's memory.
// strict: violation vfork()
// needs: x86-64
PROBE {
    pid_t pid = vfork();
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid(pid, NULL, 0);
    return tell(pid);
}

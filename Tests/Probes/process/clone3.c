// Makes a process by the newest spelling of fork. Its flags lie behind a pointer, so a filter cannot tell it from a
// thread, and to a plugin the call is unknown.
// strict: refused ENOSYS
PROBE {
    unsigned long arguments[8] = {0, 0, 0, 0, SIGCHLD};
    long pid = syscall(SYS_clone3, arguments, 64);
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid((int)pid, NULL, 0);
    return tell(pid);
}

// Takes a descriptor of another process by a handle that it was born with.
// strict: violation pidfd_getfd()
PROBE {
    if (outside() && dup2((int)syscall(SYS_pidfd_open, somebody(), 0), LEAKED) < 0) give_up("pidfd_open");
    return tell(syscall(SYS_pidfd_getfd, LEAKED, 0, 0));
}

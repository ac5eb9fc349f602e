// Signals a process by a handle that it was born with. The signal is 0.
// strict: violation pidfd_send_signal()
PROBE {
    if (outside() && dup2((int)syscall(SYS_pidfd_open, somebody(), 0), LEAKED) < 0) give_up("pidfd_open");
    return tell(syscall(SYS_pidfd_send_signal, LEAKED, 0, NULL, 0));
}

// Takes the memory of a dying process.
// strict: violation process_mrelease()
// needs: a kernel with this call, else ENOSYS ESRCH
PROBE {
    if (outside()) {
        pid_t child = somebody();
        if (dup2((int)syscall(SYS_pidfd_open, child, 0), LEAKED) < 0) give_up("pidfd_open");
        kill(child, SIGKILL);
    }
    return tell(syscall(448 /* process_mrelease */, LEAKED, 0));
}

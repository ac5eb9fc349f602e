// Finds bytes that were stored in the kernel. The control stores them first, for its own process.
// strict: violation request_key()
// needs: a kernel with keys, else ENOSYS
PROBE {
    if (outside() && syscall(SYS_add_key, "user", "probe", "x", 1, -2 /* process */) < 0) return tell(-1);
    return tell(syscall(SYS_request_key, "user", "probe", NULL, 0));
}

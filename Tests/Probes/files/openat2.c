// Opens a file by the call whose flags lie behind a pointer, where no filter can read them.
// strict: refused ENOSYS
PROBE {
    uint64_t how[3] = {O_RDONLY};
    return tell(syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", how, sizeof how));
}

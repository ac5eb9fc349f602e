// Takes a mounted file system to change it; the control one of its own.
// strict: violation fspick()
PROBE {
    own_mount();
    return tell(syscall(SYS_fspick, AT_FDCWD, ".", 0));
}

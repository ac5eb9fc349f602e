// Makes a file system by the new calls.
// strict: violation fsopen()
PROBE {
    aside(CLONE_NEWNS);
    return tell(syscall(SYS_fsopen, "tmpfs", 0));
}

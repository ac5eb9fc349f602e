// Configures a file system by the new calls.
// strict: violation fsconfig()
PROBE {
    aside(CLONE_NEWNS);
    if (outside()) {
        if (dup2((int)syscall(SYS_fsopen, "tmpfs", 0), LEAKED) < 0) give_up("fsopen");
    }
    return tell(syscall(SYS_fsconfig, LEAKED, 6 /* CREATE */, NULL, NULL, 0));
}

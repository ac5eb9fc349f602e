// Mounts a file system by the new calls.
// strict: violation fsmount()
PROBE {
    aside(CLONE_NEWNS);
    if (outside()) {
        if (dup2((int)syscall(SYS_fsopen, "tmpfs", 0), LEAKED) < 0) give_up("fsopen");
        if (syscall(SYS_fsconfig, LEAKED, 6 /* CREATE */, NULL, NULL, 0) < 0) give_up("fsconfig");
    }
    return tell(syscall(SYS_fsmount, LEAKED, 0, 0));
}

// Moves into a namespace of another process. The control moves into the one that it is in.
// strict: violation setns(CLONE_NEWUTS)
// needs: CAP_SYS_ADMIN
PROBE {
    if (outside() && dup2(open("/proc/self/ns/uts", O_RDONLY), LEAKED) < 0) give_up("open");
    return tell(setns(LEAKED, CLONE_NEWUTS));
}

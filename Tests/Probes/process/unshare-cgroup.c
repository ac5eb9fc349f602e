// Moves into a new control group namespace.
// strict: violation unshare(CLONE_NEWCGROUP)
// needs: a machine with user namespaces, else EPERM ENOSPC
PROBE {
    aside(0);
    return tell(unshare(CLONE_NEWCGROUP));
}

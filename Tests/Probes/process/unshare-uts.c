// Moves into a new hostname namespace.
// strict: violation unshare(CLONE_NEWUTS)
// needs: a machine with user namespaces, else EPERM ENOSPC
PROBE {
    aside(0);
    return tell(unshare(CLONE_NEWUTS));
}

// Moves into a new mount namespace.
// strict: violation unshare(CLONE_NEWNS)
// needs: a machine with user namespaces, else EPERM ENOSPC
PROBE {
    aside(0);
    return tell(unshare(CLONE_NEWNS));
}

// Moves into a new network namespace.
// strict: violation unshare(CLONE_NEWNET)
// needs: a machine with user namespaces, else EPERM ENOSPC
PROBE {
    aside(0);
    return tell(unshare(CLONE_NEWNET));
}

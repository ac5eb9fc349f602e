// Moves into a new IPC namespace.
// strict: violation unshare(CLONE_NEWIPC)
// needs: a machine with user namespaces, else EPERM ENOSPC
PROBE {
    aside(0);
    return tell(unshare(CLONE_NEWIPC));
}

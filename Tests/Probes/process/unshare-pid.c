// Moves into a new process namespace.
// strict: violation unshare(CLONE_NEWPID)
// needs: a machine with user namespaces, else EPERM ENOSPC
PROBE {
    aside(0);
    return tell(unshare(CLONE_NEWPID));
}

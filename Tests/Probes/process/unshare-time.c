// Moves into a new time namespace, with another clock.
// strict: violation unshare(CLONE_NEWTIME)
// needs: a machine with user namespaces, else EPERM ENOSPC
// needs: a kernel with time namespaces, else EINVAL
PROBE {
    aside(0);
    return tell(unshare(0x80 /* CLONE_NEWTIME */));
}

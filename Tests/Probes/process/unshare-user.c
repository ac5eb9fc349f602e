// Moves into a new user namespace, in which it would be root.
// strict: violation unshare(CLONE_NEWUSER)
// needs: a machine with user namespaces, else EPERM ENOSPC
PROBE { return tell(unshare(CLONE_NEWUSER)); }

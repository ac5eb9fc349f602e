// Moves into new user and network namespaces, where network code of the kernel opens that root alone may call.
// strict: violation unshare(CLONE_NEWUSER|CLONE_NEWNET)
// needs: a machine with user namespaces, else EPERM ENOSPC
PROBE { return tell(unshare(CLONE_NEWUSER | CLONE_NEWNET)); }

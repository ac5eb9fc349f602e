// Chooses the node of its memory: the usual one.
// strict: violation set_mempolicy()
// needs: a kernel with nodes, else ENOSYS
PROBE { return tell(syscall(SYS_set_mempolicy, 0, NULL, 0)); }

// Routes its own system calls to a handler.
// strict: violation prctl(PR_SET_SYSCALL_USER_DISPATCH)
// needs: a kernel with user dispatch, else EINVAL
PROBE { return tell(prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0)); }

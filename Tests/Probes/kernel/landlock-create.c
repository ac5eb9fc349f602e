// Makes rules for Landlock.
// strict: violation landlock_create_ruleset()
// needs: a kernel with Landlock, else ENOSYS EOPNOTSUPP
PROBE { return tell(syscall(444 /* landlock_create_ruleset */, NULL, 0, 1 /* its version */)); }

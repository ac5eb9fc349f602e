# A script asks which Landlock there is.
# runtime: violation landlock_create_ruleset()
# needs: a kernel with Landlock, else ENOSYS EOPNOTSUPP
tell(libc.syscall(444, None, 0, 1))

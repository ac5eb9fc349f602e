// Takes over page faults, which stretches races in the kernel.
// strict: violation userfaultfd()
// needs: a kernel with userfaultfd, else ENOSYS
PROBE { return tell(syscall(SYS_userfaultfd, 1 /* UFFD_USER_MODE_ONLY */)); }

// Asks for its pid by the x32 table of calls.
// strict: violation getpid() of the x32 table
// needs: x86-64
// needs: a kernel with the x32 table, else ENOSYS
PROBE { return tell(syscall(0x40000000 + SYS_getpid)); }

// Makes a file in memory that even the kernel does not read.
// strict: violation memfd_secret()
// needs: a kernel with secret memory, else ENOSYS
PROBE { return tell(syscall(447 /* memfd_secret */, 0)); }

// Makes a context of asynchronous input and output.
// strict: violation io_setup()
// needs: a kernel with asynchronous input and output, else ENOSYS EAGAIN
PROBE {
    unsigned long context = 0;
    return tell(syscall(SYS_io_setup, 1, &context));
}

// Makes a pipe.
// strict: violation pipe2()
PROBE {
    int ends[2];
    return tell(pipe2(ends, O_CLOEXEC));
}

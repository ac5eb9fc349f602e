// Copies pages from a pipe to another.
// strict: violation tee()
PROBE {
    leak_pipes();
    return tell(tee(LEAKED, LEAKED + 3, 1, SPLICE_F_NONBLOCK));
}

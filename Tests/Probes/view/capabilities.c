// Asks which rights it holds.
// strict: violation capget()
PROBE {
    uint32_t header[2] = {0x20080522, 0}, sets[6];
    return tell(syscall(SYS_capget, header, sets));
}

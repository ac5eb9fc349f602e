// Opens a TCP socket with the unused upper half of the arguments set, which a careless filter compares.
// strict: violation socket(AF_INET, SOCK_STREAM)
PROBE { return tell(syscall(SYS_socket, 0x700000000UL | AF_INET, 0x700000000UL | SOCK_STREAM, 0)); }

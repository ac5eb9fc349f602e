// Opens a socket with the unused upper half of the call's number set, which a careless filter compares.
// strict: violation socket(AF_INET, SOCK_STREAM)
// needs: x86-64
PROBE { return tell(syscall(0x100000000 | SYS_socket, AF_INET, SOCK_STREAM, 0)); }

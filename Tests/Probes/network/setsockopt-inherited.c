// Changes a socket that it was born with.
// strict: violation setsockopt()
PROBE {
    leak_sockets();
    int size = 4096;
    return tell(setsockopt(LEAKED, SOL_SOCKET, SO_RCVBUF, &size, sizeof size));
}

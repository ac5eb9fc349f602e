// Shuts a socket that it was born with, to disturb whom it belongs to.
// strict: violation shutdown()
PROBE {
    leak_sockets();
    return tell(shutdown(LEAKED, SHUT_RDWR));
}

// Ignores the signal that many filters send, then opens a socket.
// strict: violation socket(AF_INET, SOCK_STREAM)
PROBE {
    signal(SIGSYS, SIG_IGN);
    return tell(socket(AF_INET, SOCK_STREAM, 0));
}

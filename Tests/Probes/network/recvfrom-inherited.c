// Receives over a socket that it was born with.
// strict: violation recvfrom()
PROBE {
    leak_sockets();
    char byte;
    if (outside() && send(LEAKED + 1, "x", 1, 0) < 0) give_up("send");
    return tell(recvfrom(LEAKED, &byte, 1, 0, NULL, NULL));
}

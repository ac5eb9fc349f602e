// Sends over a socket that it was born with.
// strict: violation sendto()
PROBE {
    leak_sockets();
    return tell(sendto(LEAKED, "x", 1, 0, NULL, 0));
}

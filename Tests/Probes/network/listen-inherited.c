// Listens on a socket that it was born with.
// strict: violation listen()
PROBE {
    if (outside() && dup2(socket(AF_INET, SOCK_STREAM, 0), LEAKED) < 0) give_up("socket");
    return tell(listen(LEAKED, 1));
}

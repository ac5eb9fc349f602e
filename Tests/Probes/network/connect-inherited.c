// Connects a socket that it was born with. The control connects it to nobody, which undoes a connection.
// strict: violation connect()
PROBE {
    struct sockaddr nobody = {AF_UNSPEC, ""};
    if (outside() && dup2(socket(AF_INET, SOCK_DGRAM, 0), LEAKED) < 0) give_up("socket");
    return tell(connect(LEAKED, &nobody, sizeof nobody));
}

// Receives a descriptor over a socket that it was born with.
// strict: violation recvmsg()
PROBE {
    char byte;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    leak_sockets();
    if (outside() && send(LEAKED + 1, "x", 1, 0) < 0) give_up("send");
    return tell(recvmsg(LEAKED, &message, 0));
}

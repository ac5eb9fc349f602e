// Sends a descriptor over a socket that it was born with (SCM_RIGHTS).
// strict: violation sendmsg()
PROBE {
    char space[CMSG_SPACE(sizeof(int))] = {0}, byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    leak_sockets();
    return tell(sendmsg(LEAKED, &message, 0));
}

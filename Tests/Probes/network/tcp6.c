// Opens a TCP socket of IPv6.
// strict: violation socket(AF_INET6, SOCK_STREAM)
// needs: a kernel with IPv6, else EAFNOSUPPORT
PROBE { return tell(socket(AF_INET6, SOCK_STREAM, 0)); }

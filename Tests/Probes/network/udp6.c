// Opens a UDP socket of IPv6.
// strict: violation socket(AF_INET6, SOCK_DGRAM)
// needs: a kernel with IPv6, else EAFNOSUPPORT
PROBE { return tell(socket(AF_INET6, SOCK_DGRAM, 0)); }

// Opens a raw socket of IPv6.
// strict: violation socket(AF_INET6, SOCK_RAW)
// needs: CAP_NET_RAW
// needs: a kernel with IPv6, else EAFNOSUPPORT
PROBE { return tell(socket(AF_INET6, SOCK_RAW, 58 /* ICMPv6 */)); }

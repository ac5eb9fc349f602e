// Opens an XDP socket, which takes packets before the kernel sees them.
// strict: violation socket(AF_XDP, SOCK_RAW)
// needs: CAP_NET_RAW
// needs: a kernel with AF_XDP, else EAFNOSUPPORT
PROBE { return tell(socket(AF_XDP, SOCK_RAW, 0)); }

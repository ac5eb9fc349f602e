// Opens a packet socket, which reads all that passes.
// strict: violation socket(AF_PACKET, SOCK_RAW)
// needs: CAP_NET_RAW
// needs: a kernel with packet sockets, else EAFNOSUPPORT
PROBE { return tell(socket(AF_PACKET, SOCK_RAW, 0)); }

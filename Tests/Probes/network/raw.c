// Opens a raw socket, which forges packets.
// strict: violation socket(AF_INET, SOCK_RAW)
// needs: CAP_NET_RAW
PROBE { return tell(socket(AF_INET, SOCK_RAW, 1 /* ICMP */)); }

// Asks the kernel for interfaces and routes.
// strict: violation socket(AF_NETLINK, SOCK_RAW)
PROBE { return tell(socket(AF_NETLINK, SOCK_RAW, 0)); }

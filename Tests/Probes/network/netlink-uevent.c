// Listens to what devices come and go.
// strict: violation socket(AF_NETLINK, SOCK_DGRAM)
PROBE { return tell(socket(AF_NETLINK, SOCK_DGRAM, 15 /* KOBJECT_UEVENT */)); }

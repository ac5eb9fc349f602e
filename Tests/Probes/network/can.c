// Opens a socket of the CAN bus.
// strict: violation socket(AF_CAN, SOCK_RAW)
// needs: a kernel with CAN, else EAFNOSUPPORT EPROTONOSUPPORT
PROBE { return tell(socket(AF_CAN, SOCK_RAW, 1)); }

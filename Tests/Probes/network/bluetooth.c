// Opens a Bluetooth socket.
// strict: violation socket(AF_BLUETOOTH, SOCK_SEQPACKET)
// needs: a kernel with Bluetooth, else EAFNOSUPPORT
PROBE { return tell(socket(AF_BLUETOOTH, SOCK_SEQPACKET, 0 /* L2CAP */)); }

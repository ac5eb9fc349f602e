// Opens a UDP socket, for DNS for example.
// strict: violation socket(AF_INET, SOCK_DGRAM)
PROBE { return tell(socket(AF_INET, SOCK_DGRAM, 0)); }

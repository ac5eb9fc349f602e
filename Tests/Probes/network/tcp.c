// Opens a TCP socket.
// strict: violation socket(AF_INET, SOCK_STREAM)
PROBE { return tell(socket(AF_INET, SOCK_STREAM, 0)); }

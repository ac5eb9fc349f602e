// Gives its result and opens a socket.
// host: code E0511 exit 14
// says: it called socket(AF_INET, SOCK_STREAM)
MISDEED {
    tell(1);
    socket(AF_INET, SOCK_STREAM, 0);
    return 0;
}

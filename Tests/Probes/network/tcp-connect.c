// Connects over TCP to a port of this machine. The control listens there itself, on the loopback address.
// strict: violation socket(AF_INET, SOCK_STREAM)
#include <arpa/inet.h>
#include <netinet/in.h>

PROBE {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    if (outside()) {
        int server = socket(AF_INET, SOCK_STREAM, 0);
        if (bind(server, (void *)&address, size) < 0 || listen(server, 1) < 0) give_up("listen");
        if (getsockname(server, (void *)&address, &size) < 0) give_up("getsockname");
    }
    return tell(connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&address, size));
}

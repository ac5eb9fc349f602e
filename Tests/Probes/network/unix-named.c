// Connects to a service of the machine by a socket in a folder, such as the system log, D-Bus or docker. The control
// makes such a service in its own folder.
// strict: violation socket(AF_UNIX, SOCK_STREAM)
#include <sys/un.h>

PROBE {
    struct sockaddr_un address = {AF_UNIX, "service"};
    if (outside()) {
        int server = socket(AF_UNIX, SOCK_STREAM, 0);
        if (bind(server, (void *)&address, sizeof address) < 0 || listen(server, 1) < 0) give_up("listen");
    }
    return tell(connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, sizeof address));
}

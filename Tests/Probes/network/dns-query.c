// Asks a name server directly.
// strict: violation socket(AF_INET, SOCK_DGRAM)
#include <arpa/inet.h>
#include <netinet/in.h>

PROBE {
    static const char query[] = "\0\1\1\0\0\1\0\0\0\0\0\0\7example\3org\0\0\1\0\1";
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(53), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int made = socket(AF_INET, SOCK_DGRAM, 0);
    return tell(sendto(made, query, sizeof query - 1, 0, (void *)&server, sizeof server));
}

// A server for this machine alone, without TLS: a page for its own individual.
#ifndef ESCROW_CMICROHTTPD_LOOPBACK_H
#define ESCROW_CMICROHTTPD_LOOPBACK_H

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>

// Any free port of 127.0.0.1. Each connection has a thread: a request may compute. `let` is asked about each connection, before it
// takes a place, and gets `context` as well; `done` gets each request's end.
static inline struct MHD_Daemon *cmicrohttpd_start_loopback(
    MHD_AcceptPolicyCallback let, MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback done, void *context,
    unsigned connections, unsigned seconds) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0, let, context, handle, context,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_NOTIFY_COMPLETED, done, context,
        MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)32768, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

// The port of the other end.
static inline unsigned cmicrohttpd_peer_port(const struct sockaddr *address) {
    return address->sa_family == AF_INET ? ntohs(((const struct sockaddr_in *)address)->sin_port) : 0;
}

// The bytes are copied.
static inline struct MHD_Response *cmicrohttpd_response(const void *bytes, size_t count) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

#endif

// GNU libmicrohttpd for Swift, whose variadic functions Swift cannot call.
#ifndef ESCROW_CMICROHTTPD_SHIM_H
#define ESCROW_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <sys/socket.h>

// One thread serves all connections. `done` gets each request's end.
static inline struct MHD_Daemon *cmicrohttpd_start(
    const struct sockaddr *address, const char *key, const char *certificate, MHD_AccessHandlerCallback handle,
    MHD_RequestCompletedCallback done, void *context, unsigned connections, unsigned perAddress, unsigned seconds) {
    return MHD_start_daemon(
        MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_TLS, 0, NULL, NULL, handle, context, MHD_OPTION_SOCK_ADDR, address,
        MHD_OPTION_HTTPS_MEM_KEY, key, MHD_OPTION_HTTPS_MEM_CERT, certificate, MHD_OPTION_HTTPS_PRIORITIES,
        "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2", MHD_OPTION_NOTIFY_COMPLETED, done, context,
        MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT, perAddress,
        MHD_OPTION_CONNECTION_TIMEOUT, seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)32768,
        MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_END);
}

static inline unsigned cmicrohttpd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

static inline const char *cmicrohttpd_header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static inline const char *cmicrohttpd_argument(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

// The bytes are copied.
static inline enum MHD_Result cmicrohttpd_answer(
    struct MHD_Connection *connection, unsigned status, const void *bytes, size_t count) {
    struct MHD_Response *response = MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
    if (!response) return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}


// One thread serves connections that are handed to it; `link` hears of their beginning and end. Sleeps while nothing happens.
static inline struct MHD_Daemon *cmicrohttpd_start_unheard(
    MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback done, MHD_NotifyConnectionCallback link, void *context,
    unsigned connections, unsigned seconds) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, context,
        MHD_OPTION_NOTIFY_COMPLETED, done, context, MHD_OPTION_NOTIFY_CONNECTION, link, context,
        MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16384, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

static inline int cmicrohttpd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline void *cmicrohttpd_link(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

#endif

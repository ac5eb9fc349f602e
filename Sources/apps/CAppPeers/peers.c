#define _GNU_SOURCE
#include "CAppPeers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/fanotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

bool app_peer(int connection, pid_t *pid, uid_t *uid) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
    *pid = peer.pid;
    *uid = peer.uid;
    return true;
}

int app_peer_process(int connection) {
    int process = -1;
    socklen_t size = sizeof process;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERPIDFD, &process, &size) != 0) return -1;
    fcntl(process, F_SETFD, FD_CLOEXEC);
    return process;
}

bool app_listens(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof address.sun_path) return false;
    memcpy(address.sun_path, path, length + 1);
    if (path[0] == '@') address.sun_path[0] = 0;
    const int kinds[] = {SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM};
    bool listens = false;
    for (int at = 0; at < 3 && !listens; at++) {
        int connection = socket(AF_UNIX, kinds[at] | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (connection < 0) continue;
        socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
        // One whose queue is full listens as well.
        listens = connect(connection, (struct sockaddr *)&address, size) == 0 || errno == EAGAIN;
        close(connection);
    }
    return listens;
}

bool app_process_lives(int process) {
    struct pollfd end = {.fd = process, .events = POLLIN};
    return poll(&end, 1, 0) == 0;
}

bool app_send(int connection, const void *bytes, size_t count, int descriptor) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr head;
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &descriptor, sizeof(int));
    ssize_t sent;
    do sent = sendmsg(connection, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)count;
}

ssize_t app_receive(int connection, void *bytes, size_t size, int *descriptor) {
    *descriptor = -1;
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr head;
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t count;
    do count = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -1;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
        if (head->cmsg_len == CMSG_LEN(sizeof(int))) memcpy(descriptor, CMSG_DATA(head), sizeof(int));
    }
    return count;
}

int app_doors(void) { return epoll_create1(EPOLL_CLOEXEC); }

bool app_doors_watch(int doors, int descriptor, bool incoming) {
    // EPOLLHUP is always told.
    struct epoll_event event = {.events = incoming ? EPOLLIN : EPOLLET, .data.fd = descriptor};
    return epoll_ctl(doors, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

int app_doors_wait(int doors, int *descriptors, int most) {
    struct epoll_event events[64];
    int count;
    do count = epoll_wait(doors, events, most < 64 ? most : 64, -1);
    while (count < 0 && errno == EINTR);
    for (int at = 0; at < count; at++) descriptors[at] = events[at].data.fd;
    return count;
}

int app_accept(int listener, bool waits) {
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC | (waits ? 0 : SOCK_NONBLOCK));
}

bool app_hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0; }

void app_wait_exactly(void) { prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); }

// linux/landlock.h of the build machine may be older than the kernel.
struct scopes {
    uint64_t files, ports, scoped;
};

bool app_scope(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    if (version < 6) return false;
    // 1: abstract sockets, 2: signals.
    struct scopes rules = {0, 0, 3};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (ruleset < 0) return false;
    bool held = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return held;
}

int app_watch_begin(void) {
    return fanotify_init(FAN_CLASS_NOTIF | FAN_CLOEXEC | FAN_UNLIMITED_QUEUE, O_RDONLY | O_CLOEXEC | O_LARGEFILE);
}

bool app_watch_add(int watch, const char *path) {
    return fanotify_mark(watch, FAN_MARK_ADD | FAN_MARK_FILESYSTEM, FAN_OPEN, AT_FDCWD, path) == 0;
}

bool app_watch_next(int watch, pid_t *pid, int *descriptor) {
    struct fanotify_event_metadata event;
    ssize_t count;
    // One event at a time: the kernel hands out whole ones.
    do count = read(watch, &event, sizeof event);
    while (count < 0 && errno == EINTR);
    if (count < (ssize_t)sizeof event || event.vers != FANOTIFY_METADATA_VERSION) return false;
    *pid = event.pid;
    *descriptor = event.fd;
    return true;
}

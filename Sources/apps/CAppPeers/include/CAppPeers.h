// Who is at the other end of a Unix socket, and descriptors that go over one: what Swift's Glibc module does not declare.
#ifndef ESCROW_CAPPPEERS_H
#define ESCROW_CAPPPEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// The process and the user that connected. unix(7), SO_PEERCRED.
bool app_peer(int connection, pid_t *pid, uid_t *uid);

// A descriptor of the very process that connected, whose number may be another's by now; -1 where the kernel has none
// (before Linux 6.5). SO_PEERPIDFD.
int app_peer_process(int connection);

// Whether that process is still there.
bool app_process_lives(int process);

// Whether somebody takes connections, or messages, at a path; `@` stands for the byte 0 that an abstract name begins with.
bool app_listens(const char *path);

// A message with a descriptor. unix(7), SCM_RIGHTS.
bool app_send(int connection, const void *bytes, size_t count, int descriptor);
// The message that was sent so: its length, 0 at the end, -1 for an error; -1 as the descriptor where it brought none.
ssize_t app_receive(int connection, void *bytes, size_t size, int *descriptor);

// Waits for many sockets at once. epoll(7)
int app_doors(void);
// Watches for somebody who comes in, or only for the other end being closed, which is told once.
bool app_doors_watch(int doors, int descriptor, bool incoming);
// The descriptors that something happened to; waits for as long as it takes.
int app_doors_wait(int doors, int *descriptors, int most);
// A connection that came in; -1 where there is none.
int app_accept(int listener, bool waits);

// No other program of the same user may trace this process, read its memory or make it dump core. prctl(2)
bool app_hide_memory(void);

// Waits of the calling thread, and of those that it makes, end when they should. By itself the kernel is up to 50
// microseconds late.
// PR_SET_TIMERSLACK(2const)
void app_wait_exactly(void);

// Keeps this process, and all that it starts, from abstract sockets of others and from signalling them, where the kernel
// can (Landlock of Linux 6.12); nothing about files changes. False where it cannot.
bool app_scope(void);

// Watches who opens what lies in the file system of a path; -1 with errno. fanotify(7)
int app_watch_begin(void);
bool app_watch_add(int watch, const char *path);
// The process that opened something, and a descriptor of what; false at an error.
bool app_watch_next(int watch, pid_t *pid, int *descriptor);

#endif

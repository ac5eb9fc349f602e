// How a confined program begins, outside and inside: what a process inherits, and what it may not ask the kernel for.
#ifndef ESCROW_CAPPWALLS_H
#define ESCROW_CAPPWALLS_H

#include <stdbool.h>
#include <sys/types.h>

// Starts a program with exactly these descriptors, in order from 0 on, and no environment. -1 stands for none: the program gets
// /dev/null. It has a session and a session keyring of its own; a terminal among the first three is that session's. -1 with errno.
pid_t app_start(const char *const words[], const int descriptors[], int count);

// A descriptor that can be read once a child ended. -1 with errno.
int app_end(pid_t child);

// Whether this process ignores a signal, as nohup or a shell's `&` had it begin.
bool app_ignores(int number);

// Is the first process of a PID namespace: runs a program in it under the filter of app_filter, and returns its exit status as a
// shell tells it. The program begins with so many signals ignored. Returns as well once nobody holds the other end of the pipe
// `life`. All in the namespace end with the caller.
int app_first(const char *const words[], int life, const int ignored[], int count);

// Refuses this process, for ever, the kernel's keys, and files that run as their owner. False with errno.
bool app_filter(void);

#endif

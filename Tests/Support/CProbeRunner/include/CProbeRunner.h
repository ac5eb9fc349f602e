// Calls of the probe runner that Swift does not import: GNU extensions, and those of variable arguments.
#ifndef C_PROBE_RUNNER_H
#define C_PROBE_RUNNER_H

#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Becomes another user for good, in every thread: no supplementary group, no way back. The process stays dumpable,
// as one is that this user started: writing the uid_map of a child needs that. Returns an errno.
int probe_become(uid_t user, gid_t group);

// While on, a process whose parent died becomes a child of this one, so that none of a control's can hide from it.
// Returns an errno. PR_SET_CHILD_SUBREAPER
int probe_adopt_orphans(bool on);

// From here on programs that crash leave no core file, and no handler of the machine's keeps one. Returns an errno.
int probe_leave_no_cores(void);

// A pipe whose ends close on exec: reading, writing. Returns an errno. pipe2(2)
int probe_pipe(int ends[2]);

// The spawned process begins in this folder. Returns an errno. posix_spawn_file_actions_addchdir_np(3)
int probe_spawn_in(posix_spawn_file_actions_t *actions, const char *folder);

// Whether bytes hold other bytes. memmem(3)
bool probe_holds(const void *bytes, size_t count, const void *part, size_t length);

#endif

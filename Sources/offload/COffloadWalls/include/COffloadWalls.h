#ifndef C_OFFLOAD_WALLS_H
#define C_OFFLOAD_WALLS_H

/// No core file, no look into this process by another of the same user, no new privileges. 0, or an errno.
int offload_shut_in(void);

/// Files can be neither made longer nor written. 0, or an errno.
int offload_write_no_file(void);

/// What escrow-remote gives up before it reads its first byte: every descriptor past 2, processes, programs, listening, sockets but
/// those of the internet, files but those by which names are looked up. 0, or the errno of the wall that could not be built.
int offload_remote_walls(void);

/// What is freed is overwritten at once. False where this C library keeps freed memory as it is unless it was started with
/// `offload_wiping_environment` in its environment.
void offload_wipe_freed(void);

/// Keeps all memory, now and later, out of swap. 0, or an errno.
int offload_lock_memory(void);

/// Replaces this process's image by itself with `name=value` in its environment. Returns only where that fails.
int offload_again_with(const char *name, const char *value, char *const arguments[]);

#endif

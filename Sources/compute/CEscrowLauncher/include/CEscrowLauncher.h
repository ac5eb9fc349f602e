// The launcher: all that happens between clone and exec of a sandboxed plugin, and the few Linux calls of the
// host's side that Swift cannot spell.
//
// The child shares the host's memory until exec (CLONE_VM | CLONE_VFORK), so its code calls no libc function that
// locks or allocates, touches no errno, and never returns into Swift.
#ifndef CESCROW_LAUNCHER_H
#define CESCROW_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The steps of the child, in the order in which they are taken. A failed one is reported as {step, errno}.
enum escrow_step {
    ESCROW_STEP_CLONE = 0,
    ESCROW_STEP_SIGNALS,
    ESCROW_STEP_BEGINNING,
    ESCROW_STEP_IDENTITY,
    ESCROW_STEP_SESSION,
    ESCROW_STEP_PARENT_DEATH,
    ESCROW_STEP_MOUNT_PRIVATE,
    ESCROW_STEP_MOUNT_ROOT,
    ESCROW_STEP_MOUNT_VIEW,
    ESCROW_STEP_PIVOT,
    ESCROW_STEP_HOSTNAME,
    ESCROW_STEP_PROGRAM,
    ESCROW_STEP_DESCRIPTORS,
    ESCROW_STEP_KEYRING,
    ESCROW_STEP_LIMITS,
    ESCROW_STEP_CAPABILITIES,
    ESCROW_STEP_NO_NEW_PRIVILEGES,
    ESCROW_STEP_LANDLOCK,
    ESCROW_STEP_SECCOMP,
    ESCROW_STEP_EXEC,
    ESCROW_STEP_COUNT
};

// What the child sends on its status pipe; 16 bytes, so a write is atomic.
enum escrow_message_kind {
    ESCROW_MESSAGE_MAP = 1,       // "write my uid and gid map, then send a byte"
    ESCROW_MESSAGE_LISTENER = 2,  // value: the listener's descriptor in the child, or -1 without naming
    ESCROW_MESSAGE_FAILED = 3,    // step and error say where
};
struct escrow_message {
    int32_t kind;
    int32_t step;
    int32_t error;
    int32_t value;
};

// The sixth argument of the child's own read, write and exit around the handshake, which the kernel ignores: "escrow".
#define ESCROW_HANDSHAKE_MARK 0x657363726f77L

// One thing in the plugin's root, made in the order given. Targets are relative to the new root.
enum escrow_entry_kind {
    ESCROW_ENTRY_DIRECTORY = 1,  // an empty directory
    ESCROW_ENTRY_SYMLINK = 2,    // target -> source
    ESCROW_ENTRY_MEMORY = 3,     // a tmpfs with the options source, of which nothing is executed or mapped as code
    ESCROW_ENTRY_COPY = 4,       // a read-only file with bytes of a sealed memfd
    ESCROW_ENTRY_CODE_MEMORY = 6,  // the same as MEMORY, of which files may be mapped as code
    ESCROW_ENTRY_RULE = 5,       // makes nothing: Landlock rights on a file or directory made before
};
struct escrow_entry {
    int32_t kind;
    int32_t descriptor;  // for COPY
    uint64_t offset;     // for COPY: where the bytes begin
    uint64_t size;       // for COPY
    uint32_t mode;       // for COPY
    uint64_t rights;     // Landlock rights on what is beneath; 0 for none
    const char *source;
    const char *target;
};

struct escrow_limit {
    int32_t resource;
    uint64_t value;  // soft and hard
};

struct escrow_filter {
    uint16_t count;
    const void *instructions;  // struct sock_filter[count]
};

// All that the child needs, made by the host before the clone. Nothing in it is freed before exec.
struct escrow_plan {
    uint64_t namespaces;  // CLONE_NEW* flags
    bool map_identity;    // a new user namespace: ask the host for maps
    bool set_identity;    // take identity_user and identity_group
    bool clear_groups;    // supplementary groups can and must go
    bool dumpable;        // restore the (shared) memory's dumpable flag after taking the identity
    bool own_root;        // build an empty root and move into it
    bool root_has_code;   // the root holds an interpreter: what is copied into it may be executed and mapped as code
    bool landlock;
    bool seccomp_naming;  // ask for a listener
    uint32_t identity_user;
    uint32_t identity_group;

    int32_t input, output, log;  // the child's ends of its three pipes
    int32_t host_go;             // the host's end of `go`: kept open in the child it would hide the host's death
    int32_t status, go;          // the handshake: child to host, host to child
    int32_t program;             // sealed memfd, or -1 when program_path names a file in the new root
    const char *program_path;
    const char *const *arguments;
    const char *const *environment;

    const struct escrow_entry *entries;
    size_t entry_count;
    const char *root_options;  // tmpfs options: size, inodes, mode

    const struct escrow_limit *limits;
    size_t limit_count;
    uint64_t landlock_fs, landlock_net, landlock_scope;

    struct escrow_filter naming;   // default action: notify
    struct escrow_filter killing;  // default action: kill the process; where a listener is refused

    volatile int32_t pidfd;  // out: written by the kernel before the child runs
};

// Makes the child and sleeps until it has exec'd or died. Call it from the dedicated spawner thread only:
// PR_SET_PDEATHSIG fires when the *thread* that cloned ends. `stack_top` is the end of a stack for the child alone.
// Returns 0, or the errno of clone.
int escrow_launch(struct escrow_plan *plan, void *stack_top);

// Gives the calling thread, and the children that it makes, the fixed values that every run begins from. Returns an errno.
int escrow_begin_alike(void);
// Sets what belongs to this process's memory and to that of those it starts: none of it is dumped, or merged with equal pages
// of other programs, and large pages are as on any process. Returns an errno. core(5), PR_SET_MEMORY_MERGE(2const)
int escrow_set_memory(void);
// In the child: short of memory, the kernel ends this process before any other. The only value of oom_score_adj that can
// be reached from any other without a right. Returns an errno. proc_pid_oom_score_adj(5)
int escrow_die_first(void);

// The child's program, never to be called by the host. Exits; does not return.
_Noreturn void escrow_child(struct escrow_plan *plan);
// Builds the root of the plan and moves into it; on failure the step is stored and the errno returned.
int escrow_build_root(const struct escrow_plan *plan, int *step);
// Restricts the calling thread to the rights of the plan's entries. Returns an errno.
int escrow_restrict_files(const struct escrow_plan *plan);

// ---- the host's side ----

// A child with these namespace flags that exits at once: 0 when the kernel makes one, else its errno.
int escrow_probe_namespaces(uint64_t flags);
// Whether Landlock restricts: a child denies itself all files and opens the root. 0 when it could not, -1 when it could,
// else the errno of what failed before.
int escrow_probe_landlock(void);
// Landlock's ABI, or the negated errno.
int escrow_landlock_abi(void);
// 0 when seccomp knows the action, else an errno.
int escrow_seccomp_action(uint32_t action);
// A pipe whose ends close on exec. Returns an errno. pipe2(2)
int escrow_pipe(int32_t *reading, int32_t *writing);
// A non-blocking counter to wake a poll with, or the negated errno. eventfd(2)
int escrow_eventfd(void);
// Copies bytes of a file from its beginning to where another one ends, within the kernel; the first one's position stays
// as it is. Returns an errno; EIO when it has fewer.
int escrow_append(int descriptor, int source, uint64_t size);
// Takes mapped memory out of all caches of all processors: nobody can tell by the time of a read what was used of it.
// Returns an errno: ENOTSUP where this is not known how to do. CLFLUSH, Intel SDM volume 2
int escrow_flush(const void *memory, size_t size);
// Takes a descriptor of the child into this process; or the negated errno. pidfd_getfd(2)
int escrow_take_descriptor(int pidfd, int descriptor);
// SIGKILL by pidfd, so that a reused pid is never hit. Returns an errno.
int escrow_kill(int pidfd);
// Stops a process where it is (SIGSTOP), or lets it go on (SIGCONT). Returns an errno.
int escrow_hold(int pidfd, bool on);

// A call that the filter did not let through, as the kernel tells it.
struct escrow_notification {
    uint64_t id;
    uint64_t arguments[6];
    uint64_t instruction;
    uint32_t thread;
    int32_t number;
    uint32_t architecture;
};
// Lets the caller and the reader of a notification take turns on one processor, which makes answers quicker.
// Linux 6.6; an older kernel answers as well, only later.
void escrow_notification_hasten(int listener);
// Returns an errno; ENOENT and EINTR mean "the caller is gone, ask again".
int escrow_notification_receive(int listener, struct escrow_notification *out);
// Lets this one call run. Returns an errno.
int escrow_notification_continue(int listener, uint64_t id);
// Answers with an error instead of running it. Returns an errno.
int escrow_notification_refuse(int listener, uint64_t id, int error);

// True while the caller still waits for the answer; what was read of it before is then the caller's.
bool escrow_notification_is_valid(int listener, uint64_t id);
// Copies a C string out of another process, at most `size` bytes with its end. Returns its length, or the negated
// errno: EFAULT for an address that is not there, EPERM, ENAMETOOLONG without an end. process_vm_readv(2)
long escrow_read_string(uint32_t thread, uint64_t address, char *buffer, size_t size);

// How the child ended.
struct escrow_end {
    int32_t exited;  // 1: value is the exit code; 0: value is the signal
    int32_t value;
    double cpu_seconds;
    int64_t max_rss_kib;
};
// Reaps the child behind the pidfd. Returns an errno.
int escrow_reap(int pidfd, struct escrow_end *out);
// Moves the calling thread, and the children that it makes from then on, into a new network namespace with nothing but
// a loopback interface that is down. Returns an errno. unshare(2)
int escrow_enter_empty_network(void);
// The pid behind a pidfd as this process's /proc spells it; 0 when there is none any more.
int escrow_pid(int pidfd);
// The most address space and memory in use that a thread's process had so far, in KiB; false when it is gone.
bool escrow_read_peak(uint32_t thread, int64_t *address_space_kib, int64_t *memory_kib);
// True when this thread holds both CAP_SETUID and CAP_SETGID.
bool escrow_may_set_identity(void);
// This process's dumpable flag.
bool escrow_is_dumpable(void);

#endif

// The child between clone and exec. It runs in the host's memory on a stack of its own while the thread that
// made it sleeps: raw system calls only, and every failed step ends it.
#define _GNU_SOURCE
#include "CEscrowLauncher.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

// Not set here on purpose: PR_SET_MDWE and PR_SET_DUMPABLE 0 belong to the memory, which is the host's too, and
// would pass to every other program that the host ever starts.

// Where the descriptors end up. 3 to 5 close on exec.
enum { FD_PROGRAM = 3, FD_STATUS = 4, FD_GO = 5, FD_FIRST_UNUSED = 6, FD_PARKED = 64 };

static _Noreturn void stop(int status_fd, int step, long result) {
    struct escrow_message message = {ESCROW_MESSAGE_FAILED, step, (int32_t)-result, 0};
    raw(__NR_write, status_fd, &message, sizeof message, 0, 0, ESCROW_HANDSHAKE_MARK);
    // Not exit_group, which the filter shows to the supervisor: with the host dead nobody would answer, and this child,
    // which still holds the listener itself, would wait for ever. It has one thread.
    for (;;) raw(__NR_exit, 127, 0, 0, 0, 0, ESCROW_HANDSHAKE_MARK);
}

// Whether the host's end of the go pipe is closed, which only its death does.
static long check_host(int go_fd) {
    struct pollfd go = {.fd = go_fd, .events = POLLIN};
    struct timespec now = {0};
    long result = raw(__NR_ppoll, &go, 1, &now, 0, 8);
    return result < 0 ? result : (go.revents & POLLHUP) ? -EPIPE : 0;
}

// Sends a message and waits for the host's byte. End of file means that the host is gone: so are we. The mark, in an
// argument that the kernel ignores, tells these two calls from the plugin's own under a filter that shows every call.
static long ask(int status_fd, int go_fd, struct escrow_message message) {
    char byte;
    long result = raw(__NR_write, status_fd, &message, sizeof message, 0, 0, ESCROW_HANDSHAKE_MARK);
    if (result < 0) return result;
    do result = raw(__NR_read, go_fd, &byte, 1, 0, 0, ESCROW_HANDSHAKE_MARK);
    while (result == -EINTR);
    return result == 1 ? 0 : (result < 0 ? result : -EPIPE);
}

// An ignored SIGPIPE (networking libraries set it) and a blocked signal are inherited through exec.
static long reset_signals(void) {
    struct {
        void *handler;
        unsigned long flags;
        void *restorer;
        unsigned long mask;
    } action = {0};
    for (int number = 1; number <= 64; number++) {
        if (number == SIGKILL || number == SIGSTOP) continue;
        long result = raw(__NR_rt_sigaction, number, &action, 0, 8);
        if (result < 0) return result;
    }
    unsigned long none = 0;
    return raw(__NR_rt_sigprocmask, SIG_SETMASK, &none, 0, 8);
}

static long take_identity(const struct escrow_plan *plan) {
    long result;
    if (plan->clear_groups && (result = raw(__NR_setgroups, 0, 0)) < 0) return result;
    uint32_t group = plan->identity_group, user = plan->identity_user;
    if ((result = raw(__NR_setresgid, group, group, group)) < 0) return result;
    if ((result = raw(__NR_setresuid, user, user, user)) < 0) return result;
    // Taking another uid clears the dumpable flag of the memory, which is the host's as well until exec. The host
    // gets its own setting back; nobody else runs under the identity that could use the moment.
    if (plan->dumpable) raw(__NR_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
    return 0;
}

// Parked high first: a source may sit at a number that another one is to have.
static long place_descriptors(const struct escrow_plan *plan, int program) {
    const int sources[6] = {plan->input, plan->output, plan->log, program, plan->status, plan->go};
    int parked[6];
    for (int i = 0; i < 6; i++) {
        long result = raw(__NR_fcntl, sources[i], F_DUPFD_CLOEXEC, FD_PARKED);
        if (result < 0) return result;
        parked[i] = (int)result;
    }
    for (int i = 0; i < 6; i++) {
        long result = raw(__NR_dup3, parked[i], i, i >= FD_PROGRAM ? O_CLOEXEC : 0);
        if (result < 0) return result;
    }
    return raw(__NR_close_range, FD_FIRST_UNUSED, ~0U, 0);
}

// A limit of the host's own that is lower holds: only the kernel's root may raise one (`ulimit -c 0` before the host
// would otherwise be a sandbox that cannot be built).
static long set_limits(const struct escrow_plan *plan) {
    for (size_t i = 0; i < plan->limit_count; i++) {
        struct rlimit64 before;
        long result = raw(__NR_prlimit64, 0, plan->limits[i].resource, 0, &before);
        if (result < 0) return result;
        uint64_t value = plan->limits[i].value;
        if (value > before.rlim_max) value = before.rlim_max;
        struct rlimit64 limit = {value, value};
        result = raw(__NR_prlimit64, 0, plan->limits[i].resource, &limit, 0);
        if (result < 0) return result;
    }
    return 0;
}

// First the bounding set and the securebits, which need a capability; then, without a user namespace, the identity;
// then every capability goes.
static long drop_capabilities(const struct escrow_plan *plan) {
    // An ordinary process without a user namespace may not touch its bounding set, and holds nothing: then
    // no_new_privs, set next, keeps exec from granting anything.
    bool may = true;
    long result;
    for (long number = 0; number < 64; number++) {
        result = raw(__NR_prctl, PR_CAPBSET_DROP, number, 0, 0, 0);
        if (result == -EINVAL) break;
        if (result == -EPERM && !plan->map_identity) {
            may = false;
            break;
        }
        if (result < 0) return result;
    }
    result = raw(__NR_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (result < 0) return result;
    if (may) {
        result = raw(__NR_prctl, PR_SET_SECUREBITS,
                     SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED |
                         SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED,
                     0, 0, 0);
        if (result < 0) return result;
    }
    if (plan->set_identity && !plan->map_identity) {
        if ((result = take_identity(plan)) < 0) return result;
        if ((result = raw(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) < 0) return result;
    }
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    return raw(__NR_capset, &header, none);
}

// The last thing before exec. A host that itself runs under a notifier cannot have a second one (EBUSY): then the
// same list kills without a name.
static long filter_calls(const struct escrow_plan *plan, int *listener) {
    struct sock_fprog program = {plan->naming.count, (struct sock_filter *)plan->naming.instructions};
    *listener = -1;
    if (plan->seccomp_naming) {
        long result = raw(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
        if (result >= 0) *listener = (int)result;
        if (result != -EBUSY) return result;
    }
    program.len = plan->killing.count;
    program.filter = (struct sock_filter *)plan->killing.instructions;
    return raw(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

_Noreturn void escrow_child(struct escrow_plan *plan) {
    int status = plan->status, go = plan->go;
    long result;
#define TRY(STEP, EXPRESSION) \
    if ((result = (EXPRESSION)) < 0) stop(status, (STEP), result)

    // If the host dies from here on, this child must end too: its end of the go pipe, which it was born with, would keep
    // every wait below from ending.
    TRY(ESCROW_STEP_PARENT_DEATH, raw(__NR_close, plan->host_go));
    TRY(ESCROW_STEP_PARENT_DEATH, raw(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
    TRY(ESCROW_STEP_SIGNALS, reset_signals());
    TRY(ESCROW_STEP_BEGINNING, -escrow_die_first());
    if (plan->map_identity) {
        struct escrow_message map = {ESCROW_MESSAGE_MAP, 0, 0, 0};
        TRY(ESCROW_STEP_IDENTITY, ask(status, go, map));
    }
    if (plan->set_identity && plan->map_identity) TRY(ESCROW_STEP_IDENTITY, take_identity(plan));
    TRY(ESCROW_STEP_SESSION, raw(__NR_setsid));
    // Once more after the identity, since taking one clears it. A host that died in between sent no signal: its last
    // thread was gone, and with it its end of the go pipe, before this line.
    TRY(ESCROW_STEP_PARENT_DEATH, raw(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
    TRY(ESCROW_STEP_PARENT_DEATH, check_host(go));
    if (plan->own_root) {
        int step = ESCROW_STEP_MOUNT_ROOT;
        int error = escrow_build_root(plan, &step);
        if (error) stop(status, step, -error);
    }
    if (plan->namespaces & 0x04000000 /* CLONE_NEWUTS */) {
        TRY(ESCROW_STEP_HOSTNAME, raw(__NR_sethostname, "plugin", 6));
        TRY(ESCROW_STEP_HOSTNAME, raw(__NR_setdomainname, "", 0));
    }
    raw(__NR_umask, 077);

    int program = plan->program;
    if (program < 0) {
        TRY(ESCROW_STEP_PROGRAM, raw(__NR_openat, AT_FDCWD, plan->program_path, O_PATH | O_CLOEXEC, 0));
        program = (int)result;
    }
    TRY(ESCROW_STEP_DESCRIPTORS, place_descriptors(plan, program));
    status = FD_STATUS;
    go = FD_GO;
    // A fresh session keyring. A kernel without keys has none to inherit; elsewhere the filter refuses keyctl.
    result = raw(__NR_keyctl, KEYCTL_JOIN_SESSION_KEYRING, 0);
    if (result < 0 && result != -ENOSYS) stop(status, ESCROW_STEP_KEYRING, result);
    TRY(ESCROW_STEP_LIMITS, set_limits(plan));
    TRY(ESCROW_STEP_CAPABILITIES, drop_capabilities(plan));
    TRY(ESCROW_STEP_NO_NEW_PRIVILEGES, raw(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    if (plan->landlock) {
        int error = escrow_restrict_files(plan);
        if (error) stop(status, ESCROW_STEP_LANDLOCK, -error);
    }
    int listener;
    TRY(ESCROW_STEP_SECCOMP, filter_calls(plan, &listener));
    struct escrow_message ready = {ESCROW_MESSAGE_LISTENER, 0, 0, listener};
    TRY(ESCROW_STEP_SECCOMP, ask(status, go, ready));
    result = raw(__NR_execveat, FD_PROGRAM, "", plan->arguments, plan->environment, AT_EMPTY_PATH);
    stop(status, ESCROW_STEP_EXEC, result);
#undef TRY
}

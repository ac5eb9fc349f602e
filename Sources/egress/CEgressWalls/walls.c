#define _GNU_SOURCE
#include "CEgressWalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int limit(__rlimit_resource_t what, rlim_t most) {
    struct rlimit value = {most, most};
    return setrlimit(what, &value) == 0 ? 0 : errno;
}

static int limits(void) {
    // The answers are at most 16 MiB, and the requests at most 64.
    int error = limit(RLIMIT_AS, (rlim_t)1 << 30);
    // 0 would not keep the kernel from feeding a program that collects cores. Only root may raise a limit that is 0 already.
    struct rlimit core = {0, 0};
    if (!error && getrlimit(RLIMIT_CORE, &core) != 0) error = errno;
    if (!error) error = limit(RLIMIT_CORE, core.rlim_max < 1 ? core.rlim_max : 1);
    if (!error) error = limit(RLIMIT_FSIZE, 0);
    if (!error) error = limit(RLIMIT_NOFILE, 64);
    return error;
}

// All rights of files are denied that this kernel knows, but for reading under the folders. A kernel without Landlock, or a
// container that hides it (EPERM), leaves the other walls.
static int files(const char *const folders[]) {
    const uint64_t reads = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM ? 0 : errno;
    // The thirteen rights of version 1, then one more in each of 2 (REFER), 3 (TRUNCATE) and 5 (IOCTL_DEV).
    struct landlock_ruleset_attr rules = {.handled_access_fs = (1ULL << 13) - 1};
    if (version >= 2) rules.handled_access_fs |= 1ULL << 13;
    if (version >= 3) rules.handled_access_fs |= 1ULL << 14;
    if (version >= 5) rules.handled_access_fs |= 1ULL << 15;
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules.handled_access_fs, 0);
    if (set < 0) return errno;
    for (; *folders; folders++) {
        int folder = open(*folders, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0) continue;  // Each distribution has some of them.
        struct landlock_path_beneath_attr rule = {.allowed_access = reads, .parent_fd = folder};
        int error = syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
        close(folder);
        if (error) {
            close(set);
            return error;
        }
    }
    int error = syscall(SYS_landlock_restrict_self, set, 0) == 0 ? 0 : errno;
    close(set);
    return error;
}

// What a process needs that was taken over, and what this one never does.
static const int never[] = {
    SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(clone), SCMP_SYS(clone3),
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(process_madvise),
    SCMP_SYS(kcmp), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(kill),
    SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(unshare), SCMP_SYS(setns),
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(fsopen),
    SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at),
    SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(bpf), SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
    SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(msgget), SCMP_SYS(semget), SCMP_SYS(mq_open), SCMP_SYS(chmod),
    SCMP_SYS(fchmod), SCMP_SYS(fchmodat), SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(kexec_load),
};

static int calls(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return ENOMEM;
    int error = 0;
    for (size_t at = 0; !error && at < sizeof never / sizeof never[0]; at++)
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), never[at], 0);
    // AF_UNIX reaches other programs, netlink the kernel, a packet socket past every firewall. A raw socket of the
    // internet needs a privilege. AF_INET is 2 and AF_INET6 is 10: one rule for each gap, since rules of one call
    // must not overlap.
    if (!error)
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
                                 SCMP_A0(SCMP_CMP_LT, AF_INET));
    for (int family = AF_INET + 1; !error && family < AF_INET6; family++)
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
                                 SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)family));
    if (!error)
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
                                 SCMP_A0(SCMP_CMP_GT, AF_INET6));
    if (!error) error = seccomp_load(filter);
    seccomp_release(filter);
    return -error;
}

int escrow_egress_walls(const char *const folders[]) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    // Nobody of the same user may look into it by ptrace or /proc.
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return errno;
    if (close_range(3, ~0U, 0) != 0) return errno;
    if (chdir("/") != 0) return errno;
    int error = limits();
    if (!error) error = files(folders);
    return error ? error : calls();
}

#define _GNU_SOURCE
#include "COffloadWalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// What the C library reads to look a name up, and the libraries that it loads for it.
static const char *const readable[] = {
    "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf",
    "/etc/services",    "/etc/ld.so.cache", "/lib",         "/lib64",         "/usr/lib",
};

// All rights of files are denied that this kernel knows, but for reading these. A kernel without Landlock, or a container
// that hides it (EPERM), leaves the other walls.
static int files(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM ? 0 : errno;
    // The thirteen rights of version 1, then one more in each of 2 (REFER), 3 (TRUNCATE) and 5 (IOCTL_DEV).
    struct landlock_ruleset_attr rules = {.handled_access_fs = (1ULL << 13) - 1};
    if (version >= 2) rules.handled_access_fs |= 1ULL << 13;
    if (version >= 3) rules.handled_access_fs |= 1ULL << 14;
    if (version >= 5) rules.handled_access_fs |= 1ULL << 15;
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules.handled_access_fs, 0);
    if (set < 0) return errno;
    // libdispatch ends a process in which it cannot read /proc/THREAD/stat. Nothing there can be listed, and Landlock keeps what
    // only a tracer may read of others.
    int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct landlock_path_beneath_attr threads = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE, .parent_fd = proc};
    int error = syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &threads, 0) == 0 ? 0 : errno;
    if (proc >= 0) close(proc);
    for (size_t at = 0; !error && at < sizeof readable / sizeof readable[0]; at++) {
        int file = open(readable[at], O_PATH | O_CLOEXEC);
        if (file < 0) continue;  // Each distribution has some of them.
        struct stat status;
        uint64_t rights = LANDLOCK_ACCESS_FS_READ_FILE;
        if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) rights |= LANDLOCK_ACCESS_FS_READ_DIR;
        struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = file};
        error = syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
        close(file);
    }
    if (!error) error = syscall(SYS_landlock_restrict_self, set, 0) == 0 ? 0 : errno;
    close(set);
    return error;
}

// What a process needs that was taken over, and what this one never does. Threads are allowed below.
static const int never[] = {
    SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(process_madvise), SCMP_SYS(kcmp),
    SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(kill), SCMP_SYS(bind),
    SCMP_SYS(listen), SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(mount),
    SCMP_SYS(umount2), SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(fsopen), SCMP_SYS(pivot_root),
    SCMP_SYS(chroot), SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at), SCMP_SYS(keyctl),
    SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd),
    SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register), SCMP_SYS(shmget),
    SCMP_SYS(shmat), SCMP_SYS(msgget), SCMP_SYS(semget), SCMP_SYS(mq_open), SCMP_SYS(chmod), SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat), SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(kexec_load),
};

static int calls(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return ENOMEM;
    int error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    for (size_t at = 0; !error && at < sizeof never / sizeof never[0]; at++)
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), never[at], 0);
    // A thread, not a process. What clone3 asks for lies in memory, where no filter sees it: glibc falls back to clone.
    if (!error)
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                 SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    if (!error) error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    // AF_UNIX reaches other programs, netlink the kernel, a packet socket past every firewall. AF_INET is 2 and AF_INET6
    // is 10: one rule for each gap, since rules of one call must not overlap.
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
    return error < 0 ? -error : error;
}

// As root it could otherwise read other processes' memory, Landlock or not.
static int privileges(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

int offload_remote_walls(void) {
    if (close_range(3, ~0U, 0) != 0) return errno;
    if (chdir("/") != 0) return errno;
    int error = offload_shut_in();
    if (!error) error = offload_write_no_file();
    if (!error) error = files();
    if (!error) error = privileges();
    return error ? error : calls();
}

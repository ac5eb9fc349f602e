// Linux calls of the host's side that have no wrapper, or none that Swift can import.
#define _GNU_SOURCE
#include "CEscrowLauncher.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif
#ifndef F_SEAL_EXEC
#define F_SEAL_EXEC 0x0020
#endif

static int as_errno(long result) {
    return result < 0 ? (int)-result : 0;
}

int escrow_landlock_abi(void) {
    return (int)raw(__NR_landlock_create_ruleset, 0, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
}

int escrow_seccomp_action(uint32_t action) {
    return as_errno(raw(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action));
}

int escrow_pipe(int32_t *reading, int32_t *writing) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return errno;
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}

int escrow_eventfd(void) {
    int result = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return result < 0 ? -errno : result;
}

int escrow_append(int descriptor, int source, uint64_t size) {
    off_t offset = 0;
    while ((uint64_t)offset < size) {
        ssize_t count = sendfile(descriptor, source, &offset, size - (uint64_t)offset);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 ? errno : EIO;
    }
    return 0;
}

int escrow_take_descriptor(int pidfd, int descriptor) {
    return (int)raw(__NR_pidfd_getfd, pidfd, descriptor, 0);
}

int escrow_kill(int pidfd) {
    return as_errno(raw(__NR_pidfd_send_signal, pidfd, SIGKILL, 0, 0));
}

int escrow_hold(int pidfd, bool on) {
    return as_errno(raw(__NR_pidfd_send_signal, pidfd, on ? SIGSTOP : SIGCONT, 0, 0));
}

void escrow_notification_hasten(int listener) {
    // SECCOMP_IOCTL_NOTIF_SET_FLAGS and SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP: newer than the system's header.
    ioctl(listener, _IOW('!', 4, uint64_t), 1UL);
}

int escrow_notification_receive(int listener, struct escrow_notification *out) {
    struct seccomp_notif request;
    memset(&request, 0, sizeof request);  // the kernel refuses anything but zeros
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request) < 0) return errno;
    out->id = request.id;
    out->thread = request.pid;
    out->number = request.data.nr;
    out->architecture = request.data.arch;
    out->instruction = request.data.instruction_pointer;
    for (int i = 0; i < 6; i++) out->arguments[i] = request.data.args[i];
    return 0;
}

static int answer(int listener, uint64_t id, int error, uint32_t flags) {
    struct seccomp_notif_resp response = {.id = id, .val = 0, .error = -error, .flags = flags};
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response) < 0 ? errno : 0;
}

int escrow_notification_continue(int listener, uint64_t id) {
    return answer(listener, id, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
}

int escrow_notification_refuse(int listener, uint64_t id, int error) {
    return answer(listener, id, error, 0);
}

bool escrow_notification_is_valid(int listener, uint64_t id) {
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

long escrow_read_string(uint32_t thread, uint64_t address, char *buffer, size_t size) {
    size_t done = 0;
    while (done < size) {
        // Never across a page: the next one may not be there, and a short string need not reach it.
        uint64_t from = address + done;
        size_t count = 4096 - (size_t)(from & 4095);
        if (count > size - done) count = size - done;
        struct iovec here = {buffer + done, count};
        struct iovec there = {(void *)(uintptr_t)from, count};
        long result = raw(__NR_process_vm_readv, thread, &here, 1, &there, 1, 0);
        if (result < 0) return result;
        if (result == 0) return -EFAULT;
        const char *end = memchr(buffer + done, 0, (size_t)result);
        if (end) return end - buffer;
        done += (size_t)result;
    }
    return -ENAMETOOLONG;
}

int escrow_reap(int pidfd, struct escrow_end *out) {
    siginfo_t information;
    struct rusage usage;
    memset(&information, 0, sizeof information);
    memset(&usage, 0, sizeof usage);
    long result;
    do result = raw(__NR_waitid, 3 /* P_PIDFD */, pidfd, &information, WEXITED | __WALL, &usage);
    while (result == -EINTR);
    if (result < 0) return as_errno(result);
    out->exited = information.si_code == CLD_EXITED;
    out->value = information.si_status;
    out->cpu_seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    out->max_rss_kib = usage.ru_maxrss;
    return 0;
}

int escrow_enter_empty_network(void) {
    return unshare(CLONE_NEWNET) < 0 ? errno : 0;
}

// A small file of /proc as a string; its length, or the negated errno. These files are read for each run, and by
// hand: that takes a tenth of what splitting strings does.
static long read_text(const char *path, char *buffer, size_t size) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -errno;
    long count = read(file, buffer, size - 1);
    if (count < 0) count = -errno;
    close(file);
    buffer[count < 0 ? 0 : count] = 0;
    return count;
}

// The number after a line's name; -1 where there is no such line.
static long number_after(const char *text, const char *name) {
    const char *at = strstr(text, name);
    return at ? strtol(at + strlen(name), NULL, 10) : -1;
}

int escrow_pid(int pidfd) {
    char path[48], text[512];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", pidfd);
    if (read_text(path, text, sizeof text) < 0) return 0;
    long pid = number_after(text, "\nPid:");
    return pid > 0 ? (int)pid : 0;
}

bool escrow_read_peak(uint32_t thread, int64_t *address_space_kib, int64_t *memory_kib) {
    char path[32], text[4096];
    snprintf(path, sizeof path, "/proc/%u/status", thread);
    if (read_text(path, text, sizeof text) < 0) return false;
    // The name of the thread is its own choice, and comes first; a line break in it is written as "\n".
    *address_space_kib = number_after(text, "\nVmPeak:");
    *memory_kib = number_after(text, "\nVmHWM:");
    return *address_space_kib >= 0 && *memory_kib >= 0;
}

bool escrow_may_set_identity(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0}};
    if (raw(__NR_capget, &header, data) < 0) return false;
    uint32_t needed = 1U << CAP_SETUID | 1U << CAP_SETGID;
    return (data[0].effective & needed) == needed;
}

bool escrow_is_dumpable(void) {
    return prctl(PR_GET_DUMPABLE) == 1;
}

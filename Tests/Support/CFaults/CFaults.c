// Stands before the calls of the C library that change files, so that a test can let any one of them fail.
//
// A program's own functions come before those of its libraries, in Swift's as well: no seam in the tested code is needed.
// A thread that did not ask for faults gets the system call as it is, so that other tests of the program notice nothing.

#define _GNU_SOURCE
#include "CFaults.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Who is to be asked on this thread; null where nobody is.
static _Thread_local struct {
    faults_decide decide;
    faults_note note;
    void *context;
    int busy;
} plan;

void faults_begin(faults_decide decide, faults_note note, void *context) {
    plan.decide = decide;
    plan.note = note;
    plan.context = context;
}

void faults_end(void) { plan.decide = NULL; }

/// Whether this thread is to be asked.
static int asked(void) { return plan.decide != NULL && !plan.busy; }

/// Asks what is to become of a call.
static int64_t decide(const struct faults_event *event) {
    plan.busy = 1;
    int64_t answer = plan.decide(plan.context, event);
    plan.busy = 0;
    return answer;
}

/// Tells of a call that was made, where it succeeded; hands its result on, errno with it.
static int64_t told(const struct faults_event *event, int64_t result) {
    int reason = errno;
    if (result >= 0) {
        plan.busy = 1;
        plan.note(plan.context, event, result);
        plan.busy = 0;
    }
    errno = reason;
    return result;
}

/// Fails as a system call does.
static int failed(int64_t reason) {
    errno = (int)reason;
    return -1;
}

/// open(2) and openat(2).
static int opened(int folder, const char *path, int flags, mode_t mode) {
    if (!asked()) return (int)syscall(SYS_openat, folder, path, flags, mode);
    struct faults_event event = {.call = FAULTS_OPEN, .path = path, .descriptor = folder, .flags = flags};
    int64_t answer = decide(&event);
    if (answer > 0) return failed(answer);
    int result = (int)syscall(SYS_openat, folder, path, flags, mode);
    event.descriptor = result;
    return (int)told(&event, result);
}

/// The mode of open(2), which is only given where a file may be made.
static mode_t mode_of(int flags, va_list arguments) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return opened(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return opened(folder, path, flags, mode);
}

/// write(2) and pwrite(2), which has an offset that is not negative.
static ssize_t written(int descriptor, const void *bytes, size_t count, off_t offset) {
    int asks = asked();
    struct faults_event event = {
        .call = FAULTS_WRITE, .descriptor = descriptor, .bytes = bytes, .count = (int64_t)count, .offset = offset};
    if (asks) {
        int64_t answer = decide(&event);
        if (answer > 0) return failed(answer);
        if (answer < 0 && (size_t)-answer < count) count = (size_t)-answer;
    }
    ssize_t result = offset < 0 ? syscall(SYS_write, descriptor, bytes, count)
                                : syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    return asks ? (ssize_t)told(&event, result) : result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) { return written(descriptor, bytes, count, -1); }

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return written(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t length) {
    if (!asked()) return (int)syscall(SYS_ftruncate, descriptor, length);
    struct faults_event event = {.call = FAULTS_TRUNCATE, .descriptor = descriptor, .count = length};
    int64_t answer = decide(&event);
    if (answer > 0) return failed(answer);
    return (int)told(&event, syscall(SYS_ftruncate, descriptor, length));
}

/// fsync(2) and fdatasync(2): under a plan the disk is a model, and there is nothing to wait for.
static int synced(int descriptor, long number) {
    if (!asked()) return (int)syscall(number, descriptor);
    struct faults_event event = {.call = FAULTS_SYNC, .descriptor = descriptor};
    int64_t answer = decide(&event);
    return answer > 0 ? failed(answer) : (int)told(&event, 0);
}

int fsync(int descriptor) { return synced(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return synced(descriptor, SYS_fdatasync); }

int rename(const char *from, const char *to) {
    if (!asked()) return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    struct faults_event event = {.call = FAULTS_RENAME, .path = from, .target = to};
    int64_t answer = decide(&event);
    if (answer > 0) return failed(answer);
    return (int)told(&event, syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}

int unlink(const char *path) {
    if (!asked()) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    struct faults_event event = {.call = FAULTS_UNLINK, .path = path};
    int64_t answer = decide(&event);
    return answer > 0 ? failed(answer) : (int)told(&event, syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}

int rmdir(const char *path) {
    if (!asked()) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
    struct faults_event event = {.call = FAULTS_RMDIR, .path = path};
    int64_t answer = decide(&event);
    if (answer > 0) return failed(answer);
    return (int)told(&event, syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR));
}

int mkdir(const char *path, mode_t mode) {
    if (!asked()) return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    struct faults_event event = {.call = FAULTS_MKDIR, .path = path};
    int64_t answer = decide(&event);
    return answer > 0 ? failed(answer) : (int)told(&event, syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}

int flock(int descriptor, int operation) {
    if (asked()) {
        struct faults_event event = {.call = FAULTS_LOCK, .descriptor = descriptor};
        int64_t answer = decide(&event);
        if (answer > 0) return failed(answer);
    }
    return (int)syscall(SYS_flock, descriptor, operation);
}

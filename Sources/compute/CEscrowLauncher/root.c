// The plugin's root: an empty tmpfs, filled with what the plan lists, made the root of the mount namespace and
// read-only; and the Landlock rules that say the same a second time.
#define _GNU_SOURCE
#include "CEscrowLauncher.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>

// <sys/mount.h>, without what it brings along.
enum { REMOUNT = 32, BIND = 4096, RECURSIVE = 16384, PRIVATE = 1 << 18, DETACH = 2 };
enum { NO_SUID = 2, NO_DEV = 4, NO_EXEC = 8, READ_ONLY = 1 };
// Files are copied, not bound: through a shared file the plugin and another process could talk. The kernel copies from an
// offset of our own, as runs share the descriptor's position. The plugin owns the copy but never writes (read-only mount,
// Landlock, seccomp).
static long copy(const struct escrow_entry *entry) {
    long file = raw(__NR_openat, AT_FDCWD, entry->target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, entry->mode);
    if (file < 0) return file;
    int64_t offset = (int64_t)entry->offset;
    int64_t end = offset + (int64_t)entry->size;
    while (offset < end) {
        long result = raw(__NR_sendfile, file, entry->descriptor, &offset, end - offset);
        if (result == -EINTR) continue;
        if (result <= 0) return result < 0 ? result : -EIO;
    }
    return raw(__NR_close, file);
}

static int memory_flags(const struct escrow_entry *entry) {
    return NO_SUID | NO_DEV | (entry->kind == ESCROW_ENTRY_MEMORY ? NO_EXEC : 0);
}

static long make_entry(const struct escrow_entry *entry) {
    long result;
    switch (entry->kind) {
    case ESCROW_ENTRY_DIRECTORY:
        return raw(__NR_mkdirat, AT_FDCWD, entry->target, 0755);
    case ESCROW_ENTRY_SYMLINK:
        return raw(__NR_symlinkat, entry->source, AT_FDCWD, entry->target);
    case ESCROW_ENTRY_MEMORY:
    case ESCROW_ENTRY_CODE_MEMORY:
        result = raw(__NR_mkdirat, AT_FDCWD, entry->target, 0755);
        if (result < 0) return result;
        return raw(__NR_mount, "tmpfs", entry->target, "tmpfs", memory_flags(entry), entry->source);
    case ESCROW_ENTRY_COPY:
        return copy(entry);
    case ESCROW_ENTRY_RULE:
        return 0;
    default:
        return -EINVAL;
    }
}

int escrow_build_root(const struct escrow_plan *plan, int *step) {
    long result;
#define TRY(STEP, EXPRESSION) \
    do { \
        if ((result = (EXPRESSION)) < 0) { \
            *step = (STEP); \
            return (int)-result; \
        } \
    } while (0)

    int flags = NO_SUID | NO_DEV | (plan->root_has_code ? 0 : NO_EXEC);
    TRY(ESCROW_STEP_MOUNT_PRIVATE, raw(__NR_mount, 0, "/", 0, RECURSIVE | PRIVATE, 0));
    // Any directory that exists will do as the place to mount on; it is gone after the pivot.
    result = raw(__NR_mount, "tmpfs", "/tmp", "tmpfs", flags, plan->root_options);
    const char *place = "/tmp";
    if (result == -ENOENT || result == -ENOTDIR || result == -EACCES) {
        place = "/proc";
        result = raw(__NR_mount, "tmpfs", place, "tmpfs", flags, plan->root_options);
    }
    TRY(ESCROW_STEP_MOUNT_ROOT, result);
    TRY(ESCROW_STEP_MOUNT_ROOT, raw(__NR_chdir, place));
    raw(__NR_umask, 022);
    for (size_t i = 0; i < plan->entry_count; i++) {
        TRY(ESCROW_STEP_MOUNT_VIEW, make_entry(&plan->entries[i]));
    }
    // The old root ends up mounted over the new one at ".", and leaves from there: no directory for it is needed.
    TRY(ESCROW_STEP_PIVOT, raw(__NR_pivot_root, ".", "."));
    TRY(ESCROW_STEP_PIVOT, raw(__NR_umount2, ".", DETACH));
    TRY(ESCROW_STEP_PIVOT, raw(__NR_chdir, "/"));
    for (size_t i = 0; i < plan->entry_count; i++) {
        const struct escrow_entry *entry = &plan->entries[i];
        if (entry->kind != ESCROW_ENTRY_MEMORY && entry->kind != ESCROW_ENTRY_CODE_MEMORY) continue;
        TRY(ESCROW_STEP_PIVOT,
            raw(__NR_mount, 0, entry->target, 0, REMOUNT | BIND | memory_flags(entry) | READ_ONLY, 0));
    }
    TRY(ESCROW_STEP_PIVOT, raw(__NR_mount, 0, "/", 0, REMOUNT | BIND | flags | READ_ONLY, 0));
    return 0;
#undef TRY
}

// Layouts of our own: the system's header may be older than the kernel.
struct ruleset_attributes {
    uint64_t fs, net, scope;
};
struct beneath_attributes {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

int escrow_restrict_files(const struct escrow_plan *plan) {
    struct ruleset_attributes attributes = {plan->landlock_fs, plan->landlock_net, plan->landlock_scope};
    // An older kernel takes the shorter structure only.
    size_t size = plan->landlock_scope ? 24 : plan->landlock_net ? 16 : 8;
    long ruleset = raw(__NR_landlock_create_ruleset, &attributes, size, 0);
    if (ruleset < 0) return (int)-ruleset;
    for (size_t i = 0; i < plan->entry_count; i++) {
        const struct escrow_entry *entry = &plan->entries[i];
        if (!entry->rights) continue;
        // The root is "/" by now, and so is the working directory.
        long parent = raw(__NR_openat, AT_FDCWD, entry->target, O_PATH | O_CLOEXEC | O_NOFOLLOW, 0);
        if (parent < 0) return (int)-parent;
        struct beneath_attributes beneath = {entry->rights, (int32_t)parent};
        long result = raw(__NR_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
        raw(__NR_close, parent);
        if (result < 0) return (int)-result;
    }
    long result = raw(__NR_landlock_restrict_self, ruleset, 0);
    raw(__NR_close, ruleset);
    return result < 0 ? (int)-result : 0;
}

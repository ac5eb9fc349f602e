// The plugin's root: an empty tmpfs, filled with what the plan lists, made the root of the mount namespace and
// read-only; and the Landlock rules that say the same a second time.
#define _GNU_SOURCE
#include "CEscrowLauncher.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <sys/stat.h>

// <sys/mount.h> and <linux/mount.h> cannot be included together everywhere.
enum { REMOUNT = 32, BIND = 4096, RECURSIVE = 16384, PRIVATE = 1 << 18, DETACH = 2 };
enum { NO_SUID = 2, NO_DEV = 4, NO_EXEC = 8, READ_ONLY = 1 };
#define AT_RECURSIVE_FLAG 0x8000

struct mount_attributes {
    uint64_t set, clear, propagation, user_namespace;
};

static long make_file(const char *path, unsigned mode) {
    return raw(__NR_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

// Recursive on purpose, both times: mounts below a library tree would otherwise refuse the bind (they are locked in
// a new user namespace), or stay writable.
static long bind(const struct escrow_entry *entry) {
    long result = raw(__NR_mount, entry->source, entry->target, 0, BIND | RECURSIVE, 0);
    if (result < 0) return result;
    struct mount_attributes attributes = {MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0, 0, 0};
    return raw(__NR_mount_setattr, AT_FDCWD, entry->target, AT_RECURSIVE_FLAG, &attributes, sizeof attributes);
}

// A memfd cannot be bound (its mount is in no namespace), so its bytes are copied, in the kernel, with an offset of
// our own: the descriptor's position is shared between runs.
static long copy(const struct escrow_entry *entry) {
    long file = make_file(entry->target, 0444);
    if (file < 0) return file;
    int64_t offset = 0;
    while ((uint64_t)offset < entry->size) {
        long result = raw(__NR_sendfile, file, entry->descriptor, &offset, entry->size - (uint64_t)offset);
        if (result == -EINTR) continue;
        if (result <= 0) return result < 0 ? result : -EIO;
    }
    // The umask took bits away; the plugin is the owner but never writes (read-only mount, Landlock, seccomp).
    long result = raw(__NR_fchmod, file, 0444);
    raw(__NR_close, file);
    return result;
}

static long make_entry(const struct escrow_entry *entry) {
    long result;
    switch (entry->kind) {
    case ESCROW_ENTRY_DIRECTORY:
        return raw(__NR_mkdirat, AT_FDCWD, entry->target, 0755);
    case ESCROW_ENTRY_SYMLINK:
        return raw(__NR_symlinkat, entry->source, AT_FDCWD, entry->target);
    case ESCROW_ENTRY_BIND:
        result = raw(__NR_mkdirat, AT_FDCWD, entry->target, 0755);
        return result < 0 ? result : bind(entry);
    case ESCROW_ENTRY_BIND_FILE:
        result = make_file(entry->target, 0444);
        if (result < 0) return result;
        raw(__NR_close, result);
        return bind(entry);
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

    TRY(ESCROW_STEP_MOUNT_PRIVATE, raw(__NR_mount, 0, "/", 0, RECURSIVE | PRIVATE, 0));
    // Any directory that exists will do as the place to mount on; it is gone after the pivot.
    result = raw(__NR_mount, "tmpfs", "/tmp", "tmpfs", NO_SUID | NO_DEV | NO_EXEC, plan->root_options);
    const char *place = "/tmp";
    if (result == -ENOENT || result == -ENOTDIR || result == -EACCES) {
        place = "/proc";
        result = raw(__NR_mount, "tmpfs", place, "tmpfs", NO_SUID | NO_DEV | NO_EXEC, plan->root_options);
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
    TRY(ESCROW_STEP_PIVOT,
        raw(__NR_mount, 0, "/", 0, REMOUNT | BIND | NO_SUID | NO_DEV | NO_EXEC | READ_ONLY, 0));
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

// Adds a rule to Landlock's.
// strict: violation landlock_add_rule()
// needs: a kernel with Landlock, else ENOSYS EOPNOTSUPP
#include <linux/landlock.h>

PROBE {
    struct landlock_ruleset_attr rules = {.handled_access_fs = LANDLOCK_ACCESS_FS_READ_FILE};
    if (outside()) {
        int made = (int)syscall(444 /* landlock_create_ruleset */, &rules, sizeof rules, 0);
        if (made < 0) return tell(made);
        dup2(made, LEAKED);
    }
    struct landlock_path_beneath_attr rule = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE, .parent_fd = outside() ? open("/", O_RDONLY) : 0};
    return tell(syscall(445 /* landlock_add_rule */, LEAKED, LANDLOCK_RULE_PATH_BENEATH, &rule, 0));
}

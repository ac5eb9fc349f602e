// Stacks a layer of Landlock, of which sixteen are allowed.
// strict: violation landlock_restrict_self()
// needs: a kernel with Landlock, else ENOSYS EOPNOTSUPP
#include <linux/landlock.h>

PROBE {
    struct landlock_ruleset_attr rules = {.handled_access_fs = LANDLOCK_ACCESS_FS_READ_FILE};
    if (outside()) {
        int made = (int)syscall(444 /* landlock_create_ruleset */, &rules, sizeof rules, 0);
        if (made < 0) return tell(made);
        dup2(made, LEAKED);
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    }
    return tell(syscall(446 /* landlock_restrict_self */, LEAKED, 0));
}

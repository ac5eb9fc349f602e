// Adds a filter by the old spelling.
// strict: violation prctl(PR_SET_SECCOMP)
#include <linux/filter.h>
#include <linux/seccomp.h>

PROBE {
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {1, &allow};
    if (outside()) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return tell(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0));
}

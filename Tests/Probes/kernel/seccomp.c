// Adds a filter with a listener of its own, to answer calls itself.
// strict: violation seccomp()
// needs: a host that nobody listens to, else EBUSY
#include <linux/filter.h>
#include <linux/seccomp.h>

PROBE {
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {1, &allow};
    if (outside()) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return tell(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
}

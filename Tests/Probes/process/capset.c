// Sets its capabilities: to those that it has.
// strict: violation capset()
#include <linux/capability.h>

PROBE {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct held[2] = {{0}};
    if (outside() && syscall(SYS_capget, &header, held) < 0) give_up("capget");
    return tell(syscall(SYS_capset, &header, held));
}

// Loads a map into the kernel's own machine.
// strict: violation bpf()
// needs: CAP_BPF
// needs: a kernel with bpf, else ENOSYS
#include <linux/bpf.h>

PROBE {
    union bpf_attr map = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    return tell(syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
}

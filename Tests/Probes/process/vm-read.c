// Reads the memory of another process: outside a child of its own, inside its parent.
// strict: violation process_vm_readv()
#include <sys/uio.h>

PROBE {
    static char mine[8] = "mine", theirs[8] = "theirs";
    struct iovec here = {mine, sizeof mine}, there = {theirs, sizeof theirs};
    return tell(process_vm_readv(somebody(), &here, 1, &there, 1, 0));
}

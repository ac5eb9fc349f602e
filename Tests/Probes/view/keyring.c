// Asks for the keyring of its session, where a host may keep passwords.
// strict: violation keyctl()
// needs: a kernel with keys, else ENOSYS EPERM
#include "../probe.h"

PROBE { return tell(syscall(SYS_keyctl, 0 /* GET_KEYRING_ID */, -3 /* session */, 1)); }

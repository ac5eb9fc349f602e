// Works on quotas; the control has them written out, which any user may.
// strict: violation quotactl()
// needs: a kernel with quotas, else ENOSYS
#include <sys/quota.h>

PROBE { return tell(syscall(SYS_quotactl, QCMD(Q_SYNC, USRQUOTA), NULL, 0, NULL)); }

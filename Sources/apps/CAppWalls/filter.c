#define _GNU_SOURCE
#include "CAppWalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>

// The call and the argument that says a file's mode; of those that make a file only at times, the one that says when.
static const struct {
    int call;
    unsigned mode;
    int flags;
} modes[] = {
    {SCMP_SYS(chmod), 1, -1},  {SCMP_SYS(fchmod), 1, -1}, {SCMP_SYS(fchmodat), 2, -1}, {SCMP_SYS(creat), 1, -1},
    {SCMP_SYS(mknod), 1, -1},  {SCMP_SYS(mknodat), 2, -1}, {SCMP_SYS(open), 2, 1},      {SCMP_SYS(openat), 3, 2},
};

static struct scmp_arg_cmp has(unsigned argument, scmp_datum_t bit) {
    return (struct scmp_arg_cmp){argument, SCMP_CMP_MASKED_EQ, bit, bit};
}

// Whoever runs a file that the program left in a writable folder would have the person's account.
static int no_set_id(scmp_filter_ctx filter) {
    const scmp_datum_t bits[] = {S_ISUID, S_ISGID};
    // A file without a name is made as well; of O_TMPFILE the bit that no other flag has.
    const scmp_datum_t makes[] = {O_CREAT, O_TMPFILE & ~O_DIRECTORY};
    int error = 0;
    for (size_t at = 0; at < sizeof modes / sizeof modes[0]; at++)
        for (int bit = 0; bit < 2; bit++)
            for (int make = 0; make < (modes[at].flags < 0 ? 1 : 2); make++) {
                struct scmp_arg_cmp tests[2] = {has(modes[at].mode, bits[bit])};
                if (modes[at].flags >= 0) tests[1] = has((unsigned)modes[at].flags, makes[make]);
                if (!error)
                    error = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), modes[at].call,
                                                   modes[at].flags < 0 ? 1 : 2, tests);
            }
    return error;
}

static int no_keys(scmp_filter_ctx filter) {
    const int calls[] = {SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key)};
    int error = 0;
    for (int at = 0; !error && at < 3; at++) error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), calls[at], 0);
    return error;
}

// A processor's other ways to call the same kernel.
static int all_ways(scmp_filter_ctx filter) {
    uint32_t others[2] = {0, 0};
    if (seccomp_arch_native() == SCMP_ARCH_X86_64) {
        others[0] = SCMP_ARCH_X86;
        others[1] = SCMP_ARCH_X32;
    } else if (seccomp_arch_native() == SCMP_ARCH_AARCH64) {
        others[0] = SCMP_ARCH_ARM;
    }
    int error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS));
    for (int at = 0; !error && at < 2 && others[at]; at++) error = seccomp_arch_add(filter, others[at]);
    return error;
}

// The filter cannot look at what these point to, and programs do without them. They are newer than some libseccomp, and have
// one number in all ways to call; x32 marks it by a bit.
static bool no_newer_ways(void) {
    enum { io_uring_setup = 425, openat2 = 437, fchmodat2 = 452, x32 = 0x40000000 };
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~(unsigned)x32),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, io_uring_setup, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, openat2, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, fchmodat2, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };
    struct sock_fprog program = {sizeof steps / sizeof steps[0], steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

bool app_filter(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return errno = ENOMEM, false;
    int error = all_ways(filter);
    if (!error) error = no_keys(filter);
    if (!error) error = no_set_id(filter);
    if (!error) error = seccomp_load(filter);
    seccomp_release(filter);
    if (error) return errno = -error, false;
    return no_newer_ways();
}

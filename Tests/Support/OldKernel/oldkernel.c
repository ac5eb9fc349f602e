// Runs a program on an older, smaller or stricter kernel than this machine's.
//
//     oldkernel [FAULT ...] -- PROGRAM [ARGUMENT ...]
//
//     CALL=ERRNO              the call fails            landlock_create_ruleset=ENOSYS
//     CALL:N&BITS=ERRNO       if argument N has all of these bits          clone:0&0x10000000=EPERM
//     CALL:N==VALUE=ERRNO     if argument N is this                        prctl:0==38=EINVAL
//     CALL:N>VALUE=ERRNO      if argument N is larger                      landlock_create_ruleset:1>8=E2BIG
//     landlock-abi=N          Landlock says that it has version N (x86-64; the first thread only)
//
// ERRNO may be OK: the call is then not made, and pretends to have worked. The faults are a seccomp filter, so all that
// the program starts has them too. Exit 77: this machine cannot pretend so.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void give_up(int status, const char *what) {
    fprintf(stderr, "oldkernel: %s: %s\n", what, strerror(errno));
    exit(status);
}

// The number behind an errno's name, or -1. "OK" is 0.
static int error_number(const char *name) {
    if (strcmp(name, "OK") == 0) return 0;
    for (int number = 1; number < 134; number++) {
        const char *known = strerrorname_np(number);
        if (known && strcmp(known, name) == 0) return number;
    }
    return -1;
}

// Adds one fault to the filter. The text is taken apart in place.
static void add_fault(scmp_filter_ctx filter, char *fault) {
    char *error_name = strrchr(fault, '=');
    if (!error_name) give_up(64, fault);
    *error_name++ = 0;
    int error = error_number(error_name);
    if (error < 0) give_up(64, error_name);
    struct scmp_arg_cmp comparison = {0};
    unsigned count = 0;
    char *colon = strchr(fault, ':');
    if (colon) {
        *colon++ = 0;
        char *operator;
        comparison.arg = (unsigned)strtoul(colon, &operator, 10);
        char *value = operator + (strncmp(operator, "==", 2) == 0 ? 2 : 1);
        unsigned long long number = strtoull(value, NULL, 0);
        comparison.op = *operator == '&' ? SCMP_CMP_MASKED_EQ : *operator == '>' ? SCMP_CMP_GT : SCMP_CMP_EQ;
        comparison.datum_a = number;
        comparison.datum_b = number;
        count = 1;
    }
    int number = seccomp_syscall_resolve_name(fault);
    if (number == __NR_SCMP_ERROR) give_up(64, fault);
    int result = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO((unsigned)error), number, count, &comparison);
    if (result < 0) {
        errno = -result;
        give_up(77, "a fault cannot be made");
    }
}

// Answers every question for Landlock's version with one number, until the program ends; then ends as it did.
static _Noreturn void answer_questions(pid_t child, int version) {
#if defined(__x86_64__)
    int status = 0;
    long options = PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL;
    if (waitpid(child, &status, 0) < 0 || ptrace(PTRACE_SETOPTIONS, child, 0, options) < 0) give_up(77, "ptrace");
    int signal_to_pass = 0;
    while (ptrace(PTRACE_CONT, child, 0, signal_to_pass) == 0 && waitpid(child, &status, __WALL) == child) {
        if (WIFEXITED(status)) exit(WEXITSTATUS(status));
        if (WIFSIGNALED(status)) exit(128 + WTERMSIG(status));
        signal_to_pass = 0;
        if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) {
            struct user_regs_struct registers;
            ptrace(PTRACE_GETREGS, child, 0, &registers);
            registers.orig_rax = (unsigned long long)-1;
            registers.rax = (unsigned long long)version;
            ptrace(PTRACE_SETREGS, child, 0, &registers);
        } else if (WSTOPSIG(status) != SIGTRAP) {
            signal_to_pass = WSTOPSIG(status);
        }
    }
    give_up(77, "ptrace");
#else
    (void)child;
    (void)version;
    give_up(77, "only x86-64 is known");
#endif
}

int main(int count, char **arguments) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) give_up(77, "seccomp_init");
    // Without no_new_privs where root may: the program must find it as the kernel gives it.
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, geteuid() != 0);
    int version = 0;
    int next = 1;
    for (; next < count && strcmp(arguments[next], "--") != 0; next++) {
        if (strncmp(arguments[next], "landlock-abi=", 13) == 0) version = atoi(arguments[next] + 13);
        else add_fault(filter, arguments[next]);
    }
    if (next + 1 >= count) give_up(64, "no program is named");
    if (version) {
        // Flag 1 asks for the version.
        struct scmp_arg_cmp question = SCMP_A2(SCMP_CMP_EQ, 1, 1);
        seccomp_rule_add(filter, SCMP_ACT_TRACE(1), __NR_landlock_create_ruleset, 1, question);
    }
    pid_t child = version ? fork() : 0;
    if (child < 0) give_up(77, "fork");
    if (child > 0) answer_questions(child, version);
    if (version && (ptrace(PTRACE_TRACEME, 0, 0, 0) < 0 || raise(SIGSTOP) != 0)) give_up(77, "ptrace");
    int result = seccomp_load(filter);
    if (result < 0) {
        errno = -result;
        give_up(77, "the filter cannot be loaded");
    }
    execvp(arguments[next + 1], arguments + next + 1);
    give_up(127, arguments[next + 1]);
}

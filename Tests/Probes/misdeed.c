// One misdeed per run, named by argv[1]. Whoever gets away with it says "DID IT"; whoever is told no by an errno
// says "REFUSED errno". A control run outside the sandbox must say "DID IT".
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int tell(long result) {
    if (result < 0) printf("REFUSED %s\n", strerrorname_np(errno));
    else printf("DID IT\n");
    fflush(stdout);
    return 0;
}

static long spawn(long (*how)(void)) {
    long pid = how();
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid((int)pid, NULL, 0);
    return pid;
}

static long by_clone(void) { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }
static long by_clone3(void) {
    unsigned long arguments[8] = {0, 0, 0, 0, SIGCHLD};
    return syscall(SYS_clone3, arguments, 64);
}

static long legacy_getpid(void) {
#if defined(__x86_64__)
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
    return result;
#else
    errno = ENOSYS;
    return -1;
#endif
}

static long executable_memory(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? -1 : 0;
}

// Written first, made executable afterwards: what a filter alone cannot tell from a loader.
static long code_from_data(void) {
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return -1;
    memset(page, 0xc3, 16);
    return mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

static long open_often(const char *path, int times) {
    long result = -1;
    for (int i = 0; i < times; i++) {
        result = open(path, O_RDONLY);
        if (result >= 0) close((int)result);
    }
    return result;
}

static long new_program(void) {
    char *const arguments[] = {"/bin/true", NULL};
    int pid = (int)by_clone();  // outside the sandbox, so that this process lives to tell
    if (pid == 0) {
        execve("/bin/true", arguments, NULL);
        _exit(errno);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

static long type_into_terminal(void) {
    // Bit 32 set: a filter that compares 64 bits would let it through. No terminal outside: EIO or ENOTTY there.
    long result = syscall(SYS_ioctl, 0, 0x100000000UL | TIOCSTI, "x");
    return result < 0 && (errno == ENOTTY || errno == EIO || errno == EPERM) ? 0 : result;
}

int main(int count, char **argument) {
    const char *deed = count > 1 ? argument[1] : "";
    const char *path = count > 2 ? argument[2] : "";
#define DEED(NAME, EXPRESSION) \
    if (strcmp(deed, NAME) == 0) return tell(EXPRESSION)
    DEED("inet", socket(AF_INET, SOCK_STREAM, 0));
    DEED("inet6", socket(AF_INET6, SOCK_DGRAM, 0));
    DEED("unix", socket(AF_UNIX, SOCK_STREAM, 0));
    DEED("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
    DEED("fork", spawn(by_clone));
    DEED("clone3", spawn(by_clone3));
    DEED("unshare", syscall(SYS_unshare, CLONE_NEWUSER));
    DEED("execve", new_program());
    DEED("exec-now", syscall(SYS_execve, "/bin/true", NULL, NULL));
    DEED("int80", legacy_getpid());
    DEED("open", open(path, O_RDONLY));
    DEED("openat", syscall(SYS_openat, open("/", O_RDONLY | O_DIRECTORY), path, O_RDONLY));
    DEED("bad-pointer", syscall(SYS_openat, AT_FDCWD, 16, O_RDONLY));
    DEED("probes", open_often(path, atoi(count > 3 ? argument[3] : "")));
#if defined(SYS_open)
    DEED("open-call", syscall(SYS_open, path, O_RDONLY));
#endif
    DEED("create", open(path, O_WRONLY | O_CREAT, 0600));
    DEED("wx", executable_memory());
    DEED("rx", code_from_data());
    DEED("memfd", syscall(SYS_memfd_create, "x", 0));
    DEED("kill", kill(getppid(), 0));
    DEED("keyring", syscall(SYS_keyctl, 0 /* GET_KEYRING_ID */, -3 /* session */, 0));
    DEED("seccomp", syscall(SYS_seccomp, 2 /* GET_ACTION_AVAIL */, 0, &(unsigned){0x7fff0000}));
    DEED("tiocsti", type_into_terminal());
    DEED("shm", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
    DEED("ptrace", syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0));
    printf("UNKNOWN %s\n", deed);
    return 9;
}

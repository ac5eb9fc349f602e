// A few misdeeds for tests of reports and traces, one per run, named by argv[1]. Whoever gets away with it says "DID
// IT"; whoever is told no by an errno says "REFUSED errno". All misdeeds are probes of their own, in the folders beside.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int tell(long result) {
    if (result < 0) printf("REFUSED %s\n", strerrorname_np(errno));
    else printf("DID IT\n");
    fflush(stdout);
    return 0;
}

static long by_clone3(void) {
    unsigned long arguments[8] = {0, 0, 0, 0, SIGCHLD};
    long pid = syscall(SYS_clone3, arguments, 64);
    if (pid == 0) _exit(0);
    if (pid > 0) waitpid((int)pid, NULL, 0);
    return pid;
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

static long code_from_data(void) {
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return -1;
    memset(page, 0xc3, 16);
    return mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

int main(int count, char **argument) {
    const char *deed = count > 1 ? argument[1] : "";
#define DEED(NAME, EXPRESSION) \
    if (strcmp(deed, NAME) == 0) return tell(EXPRESSION)
    DEED("inet", socket(AF_INET, SOCK_STREAM, 0));
    DEED("clone3", by_clone3());
    DEED("int80", legacy_getpid());
    DEED("open", open(count > 2 ? argument[2] : "", O_RDONLY));
    DEED("rx", code_from_data());
    printf("UNKNOWN %s\n", deed);
    return 9;
}

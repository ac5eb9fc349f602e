// Builds the walls of escrow-remote around itself, tries what they are for, and prints each attempt with its errno.
#define _GNU_SOURCE
#include "COffloadWalls.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void tell(const char *what, long result) { printf("%s %s\n", what, result < 0 ? strerrorname_np(errno) : "done"); }

static void *nothing(void *argument) { return argument; }

int main(void) {
    int extra = dup(1);
    int error = offload_remote_walls();
    if (error) {
        printf("walls %s\n", strerrorname_np(error));
        return 1;
    }
    char *const none[] = {NULL};
    tell("descriptor", fcntl(extra, F_GETFD));
    tell("execute", execve("/bin/true", none, none));
    tell("fork", syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL));
    pthread_t thread;
    tell("thread", pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0 ? 0 : -1);
    tell("signal", kill(getppid(), 0));
    tell("privileges", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 0 : -1);
    tell("looked-into", prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : -1);
    tell("local-socket", socket(AF_UNIX, SOCK_STREAM, 0));
    tell("netlink-socket", socket(AF_NETLINK, SOCK_RAW, 0));
    tell("packet-socket", socket(AF_PACKET, SOCK_RAW, 0));
    int internet = socket(AF_INET, SOCK_STREAM, 0);
    tell("internet-socket", internet);
    struct sockaddr_in any = {.sin_family = AF_INET};
    tell("listen-address", bind(internet, (struct sockaddr *)&any, sizeof any));
    tell("listen", listen(internet, 1));
    struct addrinfo *found = NULL;
    tell("name", getaddrinfo("localhost", "443", NULL, &found) == 0 ? 0 : -1);
    long landlock = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    if (landlock < 1) {
        printf("no-landlock\n");
        return 0;
    }
    tell("read", open("/etc/passwd", O_RDONLY));
    tell("list", open("/", O_RDONLY | O_DIRECTORY));
    tell("list-processes", open("/proc", O_RDONLY | O_DIRECTORY));
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)getppid());
    tell("another-process", open(path, O_RDONLY));
    snprintf(path, sizeof path, "/tmp/escrow-remote-walls-%d", (int)getpid());
    tell("write", open(path, O_WRONLY | O_CREAT | O_EXCL, 0600));
    return 0;
}

// Looks at all that it may look at without being stopped, and prints it. `machine.seen` beside this file says what
// it must see; outside it sees the machine itself.
// strict: prints what machine.seen says
// control: prints the machine itself
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

extern char **environ;

#define SEE(NAME, ...) (printf("%s: ", NAME), printf(__VA_ARGS__), putchar('\n'))
// What a call gave, or the errno that it was refused with.
#define ASK(NAME, RESULT, ...) \
    do { \
        if ((RESULT) < 0) SEE(NAME, "%s", strerrorname_np(errno)); \
        else SEE(NAME, __VA_ARGS__); \
    } while (0)

static void limits(void) {
    static const struct {
        const char *name;
        int number;
    } every[] = {
        {"core", RLIMIT_CORE}, {"file size", RLIMIT_FSIZE}, {"processor seconds", RLIMIT_CPU},
        {"address space", RLIMIT_AS}, {"data", RLIMIT_DATA}, {"stack", RLIMIT_STACK},
        {"locked memory", RLIMIT_MEMLOCK}, {"locks", RLIMIT_LOCKS}, {"pending signals", RLIMIT_SIGPENDING},
        {"message queues", RLIMIT_MSGQUEUE}, {"nice", RLIMIT_NICE}, {"real-time", RLIMIT_RTPRIO},
        {"processes", RLIMIT_NPROC}, {"descriptors", RLIMIT_NOFILE},
    };
    printf("limits:");
    for (size_t i = 0; i < sizeof every / sizeof *every; i++) {
        struct rlimit limit;
        if (getrlimit((__rlimit_resource_t)every[i].number, &limit) < 0) continue;
        printf("%s %s %lld", i ? "," : "", every[i].name, (long long)limit.rlim_max);
    }
    printf("\n");
}

static void descriptors(void) {
    printf("open descriptors:");
    for (int i = 0; i < 4096; i++) {
        struct stat about;
        if (fstat(i, &about) < 0) continue;
        if (i > 2 && fcntl(i, F_GETFD) & FD_CLOEXEC) continue;
        printf(" %d %s", i, S_ISFIFO(about.st_mode) ? "pipe" : "other");
    }
    printf("\n");
    struct stat pipe;
    ASK("pipe owner", fstat(0, &pipe), "%s", pipe.st_uid == getuid() ? "itself" : "another");
    ASK("pipe number", fstat(0, &pipe), "%lu", (unsigned long)pipe.st_ino);
}

static void processor(void) {
#if defined(__x86_64__)
    unsigned words[13] = {0}, a, b, c = 0, d;
    for (unsigned i = 0; i < 3; i++) {
        __get_cpuid(0x80000002 + i, words + 4 * i, words + 4 * i + 1, words + 4 * i + 2, words + 4 * i + 3);
    }
    SEE("processor model", "%s", (char *)words);
    __get_cpuid(1, &a, &b, &c, &d);
    SEE("virtual machine", "%s", c >> 31 ? "yes" : "no");
    SEE("processor counter", "%llu", (unsigned long long)__rdtsc());
#endif
    cpu_set_t set;
    ASK("processors", sched_getaffinity(0, sizeof set, &set), "%d", CPU_COUNT(&set));
    unsigned here;
    ASK("this processor", getcpu(&here, NULL), "%u", here);
}

PROBE {
    printf("environment:");
    for (char **entry = environ; *entry; entry++) printf(" %s", *entry);
    printf("\narguments:");
    for (int i = 0; i < count; i++) printf(" %s", argument[i]);
    printf("\n");
    SEE("program", "%s", (const char *)getauxval(AT_EXECFN));
    char path[4096];
    ASK("working directory", syscall(SYS_getcwd, path, sizeof path), "%s", path);
    long mask = syscall(SYS_umask, 077);
    ASK("umask", mask, "%03lo", mask);
    struct utsname names;
    uname(&names);
    SEE("host name", "%s", names.nodename);
    SEE("domain name", "%s", *names.domainname ? names.domainname : "none");
    SEE("kernel", "%s %s", names.sysname, names.release);
    SEE("kernel build", "%s", names.version);
    SEE("machine", "%s", names.machine);
    SEE("process", "%d", getpid());
    SEE("parent", "%d", getppid());
    SEE("user", "%d %d", getuid(), geteuid());
    SEE("group", "%d %d", getgid(), getegid());
    SEE("secure mode", "%lu", getauxval(AT_SECURE));
    descriptors();
    limits();
    struct timespec now, step;
    clock_gettime(CLOCK_REALTIME, &now);
    clock_getres(CLOCK_REALTIME, &step);
    SEE("time", "%lld.%09ld", (long long)now.tv_sec, now.tv_nsec);
    SEE("time resolution", "%ld ns", step.tv_nsec);
    SEE("time zone", "%s", (tzset(), tzname[0]));
    clock_gettime(CLOCK_BOOTTIME, &now);
    SEE("time since boot", "%lld.%09ld", (long long)now.tv_sec, now.tv_nsec);
    processor();
    struct sysinfo memory;
    ASK("memory of the machine", sysinfo(&memory), "%lu", memory.totalram);
    SEE("page size", "%lu", getauxval(AT_PAGESZ));
    SEE("address of its stack", "%p", (void *)&memory);
    SEE("procfs", "%s", open("/proc/stat", O_RDONLY) < 0 ? strerrorname_np(errno) : "a file");
    SEE("time zones", "%s", open("/usr/share/zoneinfo/Europe/Berlin", O_RDONLY) < 0 ? strerrorname_np(errno) : "a file");
    SEE("locales", "%s", open("/usr/lib/locale/C.utf8/LC_CTYPE", O_RDONLY) < 0 ? strerrorname_np(errno) : "a file");
    return 0;
}

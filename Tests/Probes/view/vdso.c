// Asks the code that the kernel maps into every process (the vDSO) for all that it tells without a system call: the time, as the
// system calls tell it, which processor it is on, and random bytes. A kernel with one thing more fails here, and is looked at.
// control: prints time, processor, random bytes at most
// strict: prints time, processor, random bytes at most
#include <link.h>
#include <sys/auxv.h>

typedef int Clock(clockid_t, struct timespec *);

static const char *const known[] = {
    "gettimeofday", "time", "clock_gettime", "clock_gettime64", "clock_getres", "clock_getres_time64", "getcpu",
    "getrandom", "rt_sigreturn", "sigreturn",
    // Enters an enclave, of which a process without one has none.
    "sgx_enter_enclave",
};

static Clock *find(const char **unknown) {
    ElfW(Ehdr) *head = (void *)getauxval(AT_SYSINFO_EHDR);
    Clock *clock = NULL;
    ElfW(Shdr) *section = (void *)((char *)head + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++, section++) {
        if (section->sh_type != SHT_DYNSYM) continue;
        ElfW(Shdr) *text = (ElfW(Shdr) *)((char *)head + head->e_shoff) + section->sh_link;
        ElfW(Sym) *symbol = (void *)((char *)head + section->sh_offset);
        for (size_t left = section->sh_size / sizeof *symbol; left > 0; left--, symbol++) {
            const char *name = (char *)head + text->sh_offset + symbol->st_name;
            if ((symbol->st_info & 15) != STT_FUNC || symbol->st_shndx == SHN_UNDEF) continue;
            // Beside `__vdso_time` many have `time` as well.
            const char *bare = name;
            if (strncmp(name, "__vdso_", 7) == 0) bare += 7;
            else if (strncmp(name, "__kernel_", 9) == 0) bare += 9;
            bool is_known = false;
            for (size_t k = 0; k < sizeof known / sizeof *known; k++) is_known |= strcmp(bare, known[k]) == 0;
            if (!is_known) *unknown = name;
            if (strcmp(bare, "clock_gettime") == 0) clock = (Clock *)((char *)head + symbol->st_value);
        }
    }
    return clock;
}

static bool is_before(struct timespec a, struct timespec b) {
    return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec <= b.tv_nsec);
}

PROBE {
    const char *unknown = NULL;
    Clock *clock = find(&unknown);
    if (unknown) {
        printf("DID IT: %s\n", unknown);
        return 0;
    }
    if (!clock) {
        printf("no clock\n");
        return 0;
    }
    // No finer, no coarser, and of no other beginning than that of the system call.
    for (int i = 0; i < 1000; i++) {
        struct timespec first, here, last;
        syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &first);
        clock(CLOCK_MONOTONIC, &here);
        syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &last);
        if (!is_before(first, here) || !is_before(here, last)) {
            printf("another time\n");
            return 0;
        }
    }
    printf("time, processor, random bytes at most\n");
    return 0;
}

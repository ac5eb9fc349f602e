// Overwrites its own program, to be run by the next one (CVE-2019-5736).
// strict: violation openat(AT_FDCWD, O_WRONLY)
// control: refused ETXTBSY
PROBE { return tell(open("/proc/self/exe", O_WRONLY)); }

// Asks where it is.
// strict: refused ENOENT
PROBE {
    char path[4096];
    return tell(syscall(SYS_getcwd, path, sizeof path));
}

// Asks where its own program lies.
// strict: refused ENOENT
PROBE {
    char path[4096];
    return tell(readlink("/proc/self/exe", path, sizeof path));
}

// Reads the environment of the host.
// argument: host
// strict: violation openat(AT_FDCWD, O_RDONLY)
PROBE {
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/environ", argument[1]);
    return tell(open(path, O_RDONLY));
}

// Names a file by a path that no buffer holds, to see who trips over it.
// strict: violation openat(AT_FDCWD, O_RDONLY)
// control: refused ENAMETOOLONG
PROBE {
    static char path[1 << 20];
    memset(path, '/', sizeof path - 1);
    return tell(open(path, O_RDONLY));
}

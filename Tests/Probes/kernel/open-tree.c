// Takes a copy of a mounted tree.
// strict: violation open_tree()
PROBE {
    aside(CLONE_NEWNS);
    return tell(syscall(SYS_open_tree, AT_FDCWD, "/", 1 /* CLONE */ | 0x8000 /* RECURSIVE */));
}

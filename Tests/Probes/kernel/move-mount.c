// Moves a mounted tree.
// strict: violation move_mount()
PROBE {
    aside(CLONE_NEWNS);
    if (outside()) {
        int tree = (int)syscall(SYS_open_tree, AT_FDCWD, "/proc", 1 /* CLONE */ | 0x8000 /* RECURSIVE */);
        if (tree < 0 || dup2(tree, LEAKED) < 0) give_up("open_tree");
    }
    return tell(syscall(SYS_move_mount, LEAKED, "", AT_FDCWD, ".", 4 /* F_EMPTY_PATH */));
}

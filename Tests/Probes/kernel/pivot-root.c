// Takes another root; the control one that it mounted itself.
// strict: violation pivot_root()
PROBE {
    own_mount();
    return tell(syscall(SYS_pivot_root, ".", "."));
}

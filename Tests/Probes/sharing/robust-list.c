// Leaves a list of locks that the kernel wakes by shared keys when the thread ends.
// strict: refused ENOSYS
PROBE {
    static struct { void *list; long offset; void *pending; } head = {&head, 0, NULL};
    return tell(syscall(SYS_set_robust_list, &head, sizeof head));
}

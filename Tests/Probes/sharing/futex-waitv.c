// Waits on several keys at once, by the newer call, whose keys lie behind a pointer. The control's word has another
// value than it waits for, and the kernel says so.
// needs: a kernel with futex_waitv, else ENOSYS
// strict: violation futex_waitv()
struct waiter {
    uint64_t value, address;
    uint32_t flags, reserved;
};

PROBE {
    static uint32_t word;
    struct waiter waiter = {1, (uintptr_t)&word, 2 /* FUTEX2_SIZE_U32 */, 0};
    long result = syscall(449, &waiter, 1, 0, NULL, 0);
    return tell(result < 0 && errno == EAGAIN ? 0 : result);
}

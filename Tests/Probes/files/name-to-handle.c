// Learns the number of a file, by which others may open it.
// strict: violation name_to_handle_at()
// needs: a file system with handles, else EOPNOTSUPP
PROBE {
    struct {
        struct file_handle head;
        unsigned char bytes[128];
    } handle = {.head = {.handle_bytes = 128}};
    int mount;
    return tell(name_to_handle_at(AT_FDCWD, ".", &handle.head, &mount, 0));
}

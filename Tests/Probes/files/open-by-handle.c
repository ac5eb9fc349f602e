// Opens a file by its number, which leads out of every root directory.
// strict: violation open_by_handle_at()
// needs: CAP_DAC_READ_SEARCH
// needs: a file system with handles, else EOPNOTSUPP EINVAL ESTALE
PROBE {
    struct {
        struct file_handle head;
        unsigned char bytes[128];
    } handle = {.head = {.handle_bytes = 128}};
    int mount, place = 0;
    if (outside()) {
        name_to_handle_at(AT_FDCWD, ".", &handle.head, &mount, 0);
        place = open(".", O_RDONLY | O_DIRECTORY);
    }
    return tell(open_by_handle_at(place, &handle.head, O_RDONLY));
}

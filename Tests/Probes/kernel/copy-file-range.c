// Copies between files inside the kernel. The control copies nothing, between files of its own.
// strict: violation copy_file_range()
PROBE {
    if (outside() && dup2(open("mine", O_RDWR | O_CREAT, 0600), LEAKED) < 0) give_up("open");
    return tell(copy_file_range(LEAKED, NULL, LEAKED, &(loff_t){8}, 0, 0));
}

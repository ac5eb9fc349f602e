// Asks on which node its memory lies.
// strict: violation move_pages()
// needs: a kernel with nodes, else ENOSYS
PROBE {
    static char page[4096] __attribute__((aligned(4096)));
    void *pages[] = {page};
    int node;
    page[0] = 1;
    return tell(syscall(SYS_move_pages, 0, 1, pages, NULL, &node, 0));
}

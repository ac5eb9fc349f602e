// Moves a file's pages into a pipe without a copy, which has poisoned the page cache before.
// strict: violation splice()
PROBE {
    int file = 0, ends[2] = {0, 1};
    if (outside() && ((file = open("canary", O_RDONLY)) < 0 || pipe(ends) < 0)) give_up("pipe");
    return tell(splice(file, NULL, ends[1], NULL, 1, 0));
}

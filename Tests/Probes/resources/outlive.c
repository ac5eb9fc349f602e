// Forks twice and leaves its session, to live on when the run is over.
// strict: violation clone(0)
PROBE {
    int parent[2], word[2];
    char byte;
    if (outside() && (pipe(parent) < 0 || pipe(word) < 0)) give_up("pipe");
    pid_t child = fork();
    if (child == 0) {
        if (fork() != 0) _exit(0);
        setsid();
        close(parent[1]);
        // End of file: its parent is gone, and it is still here.
        while (read(parent[0], &byte, 1) > 0) {
        }
        _exit(write(word[1], "x", 1) == 1 ? 0 : 1);
    }
    close(parent[1]);
    waitpid(child, NULL, 0);
    return tell(read(word[0], &byte, 1) == 1 ? 0 : -1);
}

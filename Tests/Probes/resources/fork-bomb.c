// Forks again and again. The control stops at 16 children, which end at once.
// strict: violation clone(0)
PROBE {
    for (int i = 0; i < 16; i++) {
        pid_t child = fork();
        if (child < 0) return tell(-1);
        if (child == 0) _exit(0);
    }
    while (wait(NULL) > 0) {
    }
    return tell(0);
}

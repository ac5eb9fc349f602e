// Stops itself, so that it never ends. The control starts it again.
// limits: wallSeconds 0.4
// strict: limit wall
PROBE {
    if (outside()) {
        int status;
        pid_t child = fork();
        if (child == 0) _exit(raise(SIGSTOP));
        waitpid(child, &status, WUNTRACED);
        kill(child, SIGCONT);
        return tell(WIFSTOPPED(status) ? 0 : -1);
    }
    raise(SIGSTOP);
    for (;;) rest(500);
}

// Looks for another process by guessing numbers, asking each for its session.
// strict: violation getsid()
PROBE {
    for (pid_t other = 1; other < 4096; other++) {
        if (other != getpid() && getsid(other) >= 0) return tell(0);
    }
    return tell(-1);
}

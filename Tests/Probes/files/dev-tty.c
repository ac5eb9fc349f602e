// Opens the person's terminal.
// strict: violation openat(AT_FDCWD, O_RDWR)
// needs: pseudo-terminals, else ENOENT ENOSPC EIO EACCES
PROBE {
    if (outside()) {
        // A terminal to have: a session of its own, and a new pseudo-terminal for it.
        in_a_child();
        setsid();
        int leader = open("/dev/ptmx", O_RDWR | O_NOCTTY);
        if (leader < 0 || unlockpt(leader) < 0 || open(ptsname(leader), O_RDWR) < 0) return tell(-1);
    }
    return tell(open("/dev/tty", O_RDWR));
}

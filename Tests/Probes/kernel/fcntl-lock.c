// Locks its input, a mark that outlives nothing but can be seen.
// strict: violation fcntl(F_SETLK)
PROBE {
    struct flock lock = {.l_type = F_WRLCK};
    if (outside() && dup2(open("mine", O_RDWR | O_CREAT, 0600), 0) < 0) give_up("open");
    return tell(fcntl(0, F_SETLK, &lock));
}

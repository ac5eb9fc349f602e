// Asks to be told when others open a file.
// strict: violation fcntl(F_SETLEASE)
PROBE { return tell(fcntl(outside() ? open("canary", O_RDONLY) : 0, F_SETLEASE, F_RDLCK)); }

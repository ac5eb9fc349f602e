// Makes the machine write all its disks.
// strict: violation syncfs()
PROBE { return tell(syncfs(outside() ? open("canary", O_RDONLY) : 0)); }

// Starts a shell by system(3).
// strict: violation clone(CLONE_VM|CLONE_VFORK)
PROBE { return tell(system("true") == 0 ? 0 : -1); }

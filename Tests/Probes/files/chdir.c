// Goes to another directory.
// strict: refused ENOENT
PROBE { return tell(chdir("/usr")); }

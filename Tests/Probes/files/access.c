// Asks whether a file is there.
// strict: refused ENOENT
PROBE { return tell(access("/etc/passwd", R_OK)); }

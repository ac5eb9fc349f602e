// Mounts a file system; the control in a namespace of its own.
// strict: violation mount()
PROBE {
    aside(CLONE_NEWNS);
    return tell(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL));
}

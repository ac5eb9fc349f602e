// Mounts a new file system over the root; the control over its own folder, in a namespace of its own.
// strict: violation mount()
PROBE {
    aside(CLONE_NEWNS);
    return tell(mount("none", ".", "tmpfs", 0, NULL));
}

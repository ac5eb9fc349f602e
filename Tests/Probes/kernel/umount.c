// Unmounts; the control what it mounted itself, in a namespace of its own.
// strict: violation umount2()
PROBE {
    own_mount();
    return tell(umount2(".", MNT_DETACH));
}

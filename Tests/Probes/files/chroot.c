// Makes another directory its root.
// strict: violation chroot()
// needs: CAP_SYS_CHROOT
PROBE { return tell(chroot("/")); }

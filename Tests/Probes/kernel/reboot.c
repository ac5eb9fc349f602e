// Reboots the machine. The control gives an order that does not exist, which is looked at after its rights.
// strict: violation reboot()
// control: refused EINVAL
// needs: CAP_SYS_BOOT
PROBE { return tell(syscall(SYS_reboot, 0xfee1dead, 0x28121969, 0x1234, NULL)); }

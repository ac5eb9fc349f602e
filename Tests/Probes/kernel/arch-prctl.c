// Moves a segment register.
// strict: violation arch_prctl()
// needs: x86-64
PROBE { return tell(syscall(SYS_arch_prctl, 0x1001 /* ARCH_SET_GS */, 0)); }

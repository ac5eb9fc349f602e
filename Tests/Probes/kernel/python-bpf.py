# A script loads a map into the kernel's own machine.
# runtime: violation bpf()
# needs: x86-64
# needs: CAP_BPF
tell(libc.syscall(321, 0, (ctypes.c_uint * 18)(2, 4, 4, 1), 72))

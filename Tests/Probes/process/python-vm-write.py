# A script changes the memory of another process: outside itself, by its number.
# runtime: violation process_vm_writev()
cell = ctypes.c_long(7)
part = (ctypes.c_void_p * 2)(ctypes.addressof(cell), 8)
tell(libc.process_vm_writev(os.getpid(), part, 1, part, 1, 0))

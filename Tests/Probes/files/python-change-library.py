# A script writes into its own copy of a library's code, to run what it wrote there.
# runtime: violation mprotect(PROT_READ|PROT_EXEC)
import mmap

libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
page = ctypes.cast(libc.abs, ctypes.c_void_p).value & ~4095
if libc.mprotect(page, 4096, mmap.PROT_READ | mmap.PROT_WRITE) < 0:
    tell(-1)
tell(libc.mprotect(page, 4096, mmap.PROT_READ | mmap.PROT_EXEC))

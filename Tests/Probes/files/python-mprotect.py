# A script runs what it wrote.
# runtime: violation mprotect(PROT_READ|PROT_EXEC)
import mmap

page = mmap.mmap(-1, 4096)
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
tell(libc.mprotect(ctypes.addressof(ctypes.c_char.from_buffer(page)), 4096, mmap.PROT_READ | mmap.PROT_EXEC))

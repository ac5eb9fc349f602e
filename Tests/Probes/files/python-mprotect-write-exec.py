# A script makes memory that it can run and go on writing.
# runtime: violation mprotect(PROT_READ|PROT_WRITE|PROT_EXEC)
import mmap

page = mmap.mmap(-1, 4096)
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
every = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
tell(libc.mprotect(ctypes.addressof(ctypes.c_char.from_buffer(page)), 4096, every))

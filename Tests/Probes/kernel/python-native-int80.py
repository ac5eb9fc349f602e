# A script writes machine code, to ask for its pid by the 32-bit table of calls, but cannot make it executable.
# runtime: violation mprotect(PROT_READ|PROT_EXEC)
# needs: x86-64
import mmap

page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE)
page.write(b"\xb8\x14\0\0\0\xcd\x80\xc3")  # mov $20, %eax; int $0x80; ret
address = ctypes.addressof(ctypes.c_char.from_buffer(page))
if libc.mprotect(ctypes.c_void_p(address), 4096, mmap.PROT_READ | mmap.PROT_EXEC) < 0:
    tell(-1)
tell(ctypes.CFUNCTYPE(ctypes.c_int)(address)())

# A script writes machine code, makes it executable, which runtime allows, and with it asks for its pid by the 32-bit
# table of calls: the filter does not care who calls.
# runtime: violation getpid() of the i386 table
# needs: x86-64
import mmap

page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE)
page.write(b"\xb8\x14\0\0\0\xcd\x80\xc3")  # mov $20, %eax; int $0x80; ret
address = ctypes.addressof(ctypes.c_char.from_buffer(page))
if libc.mprotect(ctypes.c_void_p(address), 4096, mmap.PROT_READ | mmap.PROT_EXEC) < 0:
    tell(-1)
tell(ctypes.CFUNCTYPE(ctypes.c_int)(address)())

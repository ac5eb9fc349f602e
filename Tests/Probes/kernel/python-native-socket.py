# A script writes machine code, to open a socket with it, but cannot make it executable.
# runtime: violation mprotect(PROT_READ|PROT_EXEC)
# needs: x86-64
import mmap

page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE)
# mov $41, %eax; mov $2, %edi; mov $1, %esi; xor %edx, %edx; syscall; ret
page.write(b"\xb8\x29\0\0\0\xbf\2\0\0\0\xbe\1\0\0\0\x31\xd2\x0f\x05\xc3")
address = ctypes.addressof(ctypes.c_char.from_buffer(page))
if libc.mprotect(ctypes.c_void_p(address), 4096, mmap.PROT_READ | mmap.PROT_EXEC) < 0:
    tell(-1)
tell(ctypes.CFUNCTYPE(ctypes.c_int)(address)())

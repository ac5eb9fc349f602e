# A script asks for memory that can be run.
# runtime: violation mmap(PROT_READ|PROT_EXEC)
import mmap

attempt(lambda: mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_EXEC))

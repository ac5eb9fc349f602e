# A script asks for memory that can be both written and run.
# runtime: violation mmap(PROT_READ|PROT_WRITE|PROT_EXEC)
import mmap

attempt(lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC))

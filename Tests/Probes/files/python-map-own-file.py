# A script runs machine code that it brought along as a file.
# runtime: refused EPERM
import mmap

file = open(sys.argv[0], "rb")
attempt(lambda: mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC))

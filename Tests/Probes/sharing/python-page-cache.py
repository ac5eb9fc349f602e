# A script reads from a library only if it lies in memory, where somebody else may have put it.
# needs: a file system that can tell, else EAGAIN EOPNOTSUPP
# runtime: violation preadv2()
file = os.open(os.__file__, os.O_RDONLY)
os.read(file, 16)
attempt(os.preadv, file, [bytearray(16)], 0, os.RWF_NOWAIT)

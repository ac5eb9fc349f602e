# A script throws a library out of the machine's memory, which whoever uses it next can measure.
# runtime: violation fadvise64()
file = os.open(os.__file__, os.O_RDONLY)
attempt(os.posix_fadvise, file, 0, 0, os.POSIX_FADV_DONTNEED)

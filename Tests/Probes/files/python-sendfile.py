# A script moves pages of a library to a pipe without a copy, by the other call.
# runtime: violation sendfile()
ends = os.pipe()
file = open(os.__file__, "rb")
attempt(os.sendfile, ends[1], file.fileno(), 0, 1)

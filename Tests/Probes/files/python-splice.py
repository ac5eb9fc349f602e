# A script moves pages of a library into a pipe without a copy, as attacks on the page cache begin.
# runtime: violation splice()
ends = os.pipe()
file = open(os.__file__, "rb")
attempt(os.splice, file.fileno(), ends[1], 1)

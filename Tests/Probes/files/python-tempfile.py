# A script looks for a folder for temporary files, by writing one.
# runtime: violation openat(AT_FDCWD, O_RDWR|O_CREAT)
import tempfile

attempt(tempfile.gettempdir)

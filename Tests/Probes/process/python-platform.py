# A script asks for the platform's full name, for which Python starts a program, and opens /dev/null for it.
# runtime: violation openat(AT_FDCWD, O_RDWR)
import platform

attempt(platform.platform)

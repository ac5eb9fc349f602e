# A script makes all memory that can be read executable.
# runtime: violation personality()
tell(libc.personality(0x0400000))

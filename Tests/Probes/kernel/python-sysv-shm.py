# A script makes memory that outlives it. The control removes it.
# runtime: violation shmget()
made = libc.shmget(0, 4096, 0o1600)
tell(made)
libc.shmctl(made, 0, None)

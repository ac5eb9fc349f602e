# A script starts a program by posix_spawn.
# runtime: violation clone(CLONE_VM|CLONE_VFORK)
attempt(os.posix_spawn, "/bin/true", ["true"], {})

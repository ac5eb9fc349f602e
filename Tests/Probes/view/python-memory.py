# A script asks how much memory the machine has and how much of it is in use.
# runtime: refused EPERM
tell(libc.sysinfo(ctypes.create_string_buffer(256)))

# A script asks about a file by the newest call.
# runtime: refused ENOSYS
tell(libc.syscall(332 if os.uname().machine == "x86_64" else 291, -100, b"/etc/passwd", 0, 0xfff, bytes(256)))

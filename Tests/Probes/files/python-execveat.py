# A script starts the one program that it may read and run, its dynamic loader, by a descriptor.
# runtime: violation execveat()
number, loader = (322, "ld-linux-x86-64.so.2") if os.uname().machine == "x86_64" else (281, "ld-linux-aarch64.so.1")
folder = "/lib64/" if number == 322 else "/lib/"
file = os.open(folder + loader, os.O_RDONLY)
words = (ctypes.c_char_p * 4)(b"loader", b"/bin/echo", b"DID IT", None)
tell(libc.syscall(number, file, b"", words, (ctypes.c_char_p * 1)(None), 0x1000))

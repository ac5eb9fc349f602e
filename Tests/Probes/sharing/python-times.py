# A script asks for its processor time in ticks. By the bare call: the C library takes no answer for a refusal.
# runtime: refused EPERM
number = {"x86_64": 100, "aarch64": 153}[os.uname().machine]
tell(libc.syscall(number, ctypes.create_string_buffer(64)))

# A script mounts a file system over its root. The control names a kind that does not exist, which is seen after its
# rights.
# runtime: violation mount()
# control: refused ENODEV
# needs: CAP_SYS_ADMIN
tell(libc.mount(b"none", b"/", b"escrow-probe", 0, None))

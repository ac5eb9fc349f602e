# A script overwrites its interpreter, which the next run will use as well (CVE-2019-5736).
# runtime: violation openat(AT_FDCWD, O_RDWR)
# control: refused ETXTBSY
# needs: CAP_DAC_OVERRIDE
attempt(open, "/proc/self/exe", "r+b")

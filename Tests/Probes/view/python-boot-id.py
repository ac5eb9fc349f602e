# A script reads the number of this start of the machine.
# runtime: refused ENOENT
attempt(open, "/proc/sys/kernel/random/boot_id")

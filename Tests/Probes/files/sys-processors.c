// Reads how many processors the machine has, as runtimes do.
// strict: refused ENOENT
PROBE { return tell(open("/sys/devices/system/cpu/online", O_RDONLY)); }

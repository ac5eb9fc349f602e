// Opens the device of random bytes, as runtimes do.
// strict: refused ENOENT
PROBE { return tell(open("/dev/urandom", O_RDONLY)); }

// Writes a line of 1 GB, so that a host that keeps it needs a gigabyte.
// host: code E0520 exit 14
MISDEED {
    repeat("x", 1000000000);
    return 0;
}

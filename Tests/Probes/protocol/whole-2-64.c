// Writes 2^64, which wraps to 0 in 64 bits.
// host: code E0521 exit 14
SAYS("{\"result\":{\"n\":18446744073709551616}}\n")

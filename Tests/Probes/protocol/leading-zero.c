// Writes 01, which is 1 to some readers and octal to others.
// host: code E0521 exit 14
SAYS("{\"result\":{\"n\":01}}\n")

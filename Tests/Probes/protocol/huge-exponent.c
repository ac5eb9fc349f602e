// Writes 1e400, which is infinite to a float.
// host: code E0521 exit 14
SAYS("{\"result\":{\"n\":1e400}}\n")

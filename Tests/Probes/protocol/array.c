// Writes an array where an object belongs.
// host: code E0521 exit 14
SAYS("[{\"result\":{\"n\":1}}]\n")

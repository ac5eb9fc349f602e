// Writes an empty line before its result.
// host: code E0521 exit 14
SAYS("\n{\"result\":{\"n\":1}}\n")

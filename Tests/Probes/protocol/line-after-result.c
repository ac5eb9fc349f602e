// Writes an empty line after its result.
// host: code E0529 exit 14
SAYS("{\"result\":{\"n\":1}}\n\n")

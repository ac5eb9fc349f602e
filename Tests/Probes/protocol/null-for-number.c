// Returns null where nothing may be missing.
// host: code E0523 exit 14
SAYS("{\"result\":{\"n\":null}}\n")

// Returns 1.0 where a whole number is declared.
// host: code E0523 exit 14
SAYS("{\"result\":{\"n\":1.0}}\n")

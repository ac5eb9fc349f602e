// Returns 10 where at most 9 is declared.
// host: code E0524 exit 14
SAYS("{\"result\":{\"n\":10}}\n")

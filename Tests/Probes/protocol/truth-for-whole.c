// Returns true where a whole number is declared.
// host: code E0523 exit 14
SAYS("{\"result\":{\"n\":true}}\n")

// Returns a text where a number is declared.
// host: code E0523 exit 14
SAYS("{\"result\":{\"n\":\"1\"}}\n")

// Returns the field in another letter case.
// host: code E0523 exit 14
SAYS("{\"result\":{\"N\":1}}\n")

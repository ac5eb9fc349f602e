// Returns a record without its field.
// host: code E0523 exit 14
SAYS("{\"result\":{}}\n")

// Returns a list where a record is declared.
// host: code E0523 exit 14
SAYS("{\"result\":[1]}\n")

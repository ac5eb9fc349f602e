// Returns a whole number beyond 64 bits in the long spelling.
// host: code E0523 exit 14
SAYS("{\"result\":{\"n\":{\"i64\":\"99999999999999999999\"}}}\n")

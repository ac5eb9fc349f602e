// Returns a field that is not declared.
// host: code E0523 exit 14
SAYS("{\"result\":{\"n\":1,\"m\":2}}\n")

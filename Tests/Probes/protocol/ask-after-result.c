// Asks for rows after its result.
// host: code E0529 exit 14
SAYS("{\"result\":{\"n\":1}}\n{\"ask\":\"rows\",\"max\":1}\n")

// Asks and answers in one object.
// host: code E0522 exit 14
SAYS("{\"ask\":\"rows\",\"max\":1,\"result\":{\"n\":1}}\n")

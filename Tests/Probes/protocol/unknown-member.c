// Adds a member beside the result that only its own reader knows.
// host: code E0522 exit 14
SAYS("{\"result\":{\"n\":1},\"also\":2}\n")

// Gives one field of the result twice.
// host: code E0521 exit 14
// says: a member appears twice
SAYS("{\"result\":{\"n\":1,\"n\":2}}\n")

// Gives one field twice, once spelled as an escape.
// host: code E0521 exit 14
// says: a member appears twice
SAYS("{\"result\":{\"n\":1,\"\\u006e\":2}}\n")

// Gives two results in one object: readers keep different ones.
// host: code E0521 exit 14
// says: a member appears twice
SAYS("{\"result\":{\"n\":1},\"result\":{\"n\":2}}\n")

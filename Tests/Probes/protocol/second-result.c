// Gives two results.
// host: code E0529 exit 14
SAYS("{\"result\":{\"n\":1}}\n{\"result\":{\"n\":2}}\n")

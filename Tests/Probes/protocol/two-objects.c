// Writes two results on one line.
// host: code E0521 exit 14
SAYS("{\"result\":{\"n\":1}}{\"result\":{\"n\":2}}\n")

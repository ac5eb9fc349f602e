// Makes a remark after its result.
// host: code E0529 exit 14
SAYS("{\"result\":{\"n\":1}}\n{\"progress\":1}\n")

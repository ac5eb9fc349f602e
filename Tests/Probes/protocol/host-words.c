// Speaks as the host does.
// host: code E0522 exit 14
SAYS("{\"rows\":[[1]],\"more\":false}\n")

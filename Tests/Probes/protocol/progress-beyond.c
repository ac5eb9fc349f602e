// Tells a progress of 200 %.
// host: code E0522 exit 14
SAYS("{\"progress\":2}\n")

// Writes -0, which many readers turn into 0.
// host: code E0521 exit 14
SAYS("{\"result\":{\"n\":-0}}\n")

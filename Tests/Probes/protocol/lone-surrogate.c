// Writes half a surrogate pair.
// host: code E0521 exit 14
SAYS("{\"progress\":0.5,\"note\":\"\\ud800\"}\n")

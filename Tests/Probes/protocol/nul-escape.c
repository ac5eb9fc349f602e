// Spells a NUL as an escape.
// host: code E0521 exit 14
SAYS("{\"progress\":0.5,\"note\":\"a\\u0000b\"}\n")

// Writes a surrogate as three bytes of UTF-8.
// host: code E0521 exit 14
SAYS("{\"progress\":0.5,\"note\":\"\xED\xA0\x80\"}\n")

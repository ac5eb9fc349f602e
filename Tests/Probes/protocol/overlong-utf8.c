// Spells a quote in two bytes, which a lenient reader takes for one.
// host: code E0521 exit 14
SAYS("{\"progress\":0.5,\"note\":\"\xC0\xA2\"}\n")

// Asks for an asset, which its manifest does not declare.
// host: code E0526 exit 14
SAYS("{\"ask\":\"asset\",\"id\":\"a-0\"}\n")

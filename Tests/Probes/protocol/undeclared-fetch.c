// Asks for a request to the network, which its manifest does not declare.
// host: code E0526 exit 14
SAYS("{\"ask\":\"fetch\",\"to\":\"evil\",\"fields\":{}}\n")

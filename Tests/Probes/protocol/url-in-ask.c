// Names a URL in an ask for a request.
// host: code E0522 exit 14
SAYS("{\"ask\":\"fetch\",\"to\":\"a\",\"url\":\"https://example.org/\",\"fields\":{}}\n")

// Greets as the host does, to begin another run.
// host: code E0522 exit 14
SAYS("{\"escrow\":1,\"run\":\"r-1\",\"columns\":[]}\n")

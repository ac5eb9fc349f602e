// Says hello in the middle of a run.
// host: code E0522 exit 14
SAYS("{\"hello\":{\"sdk\":\"x\"}}\n")

// Asks for a file.
// host: code E0522 exit 14
SAYS("{\"ask\":\"file\",\"path\":\"/etc/passwd\"}\n")

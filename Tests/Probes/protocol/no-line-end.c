// Writes its whole result but for the line end.
// host: code E0525 exit 14
// says: the output ended within a line
SAYS("{\"result\":{\"n\":1}}")

// Asks, and gives its result without waiting for the answer.
// host: code E0528 exit 14
SAYS_AT_ONCE("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":1}\n{\"result\":{\"n\":1}}\n")

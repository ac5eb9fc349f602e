// Gives a result before it has asked for a row. A plugin need not read: this goes through.
// host: prints {"n":1}
SAYS_AT_ONCE("{\"result\":{\"n\":1}}\n")

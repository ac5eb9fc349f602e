// Returns a word that is not among the declared ones.
// host: code E0524 exit 14
// manifest: "result": {"kind":"record","fields":{"s":{"type":"text","oneOf":["yes","no"],"learns":"a value of the test"}},"maxBytes":64}
// control: prints {"s":"yes"}
#define HONEST "{\"result\":{\"s\":\"yes\"}}\n"

SAYS("{\"result\":{\"s\":\"maybe\"}}\n")

// Returns a text of 9 characters where 8 are declared.
// host: code E0524 exit 14
// manifest: "result": {"kind":"record","fields":{"s":{"type":"text","maxLength":8,"learns":"a value of the test"}},"maxBytes":64}
// control: prints {"s":"a"}
#define HONEST "{\"result\":{\"s\":\"a\"}}\n"

SAYS("{\"result\":{\"s\":\"123456789\"}}\n")

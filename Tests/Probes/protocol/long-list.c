// Returns a list of 3 where 2 are declared.
// host: code E0524 exit 14
// manifest: "result": {"kind":"record","fields":{"s":{"type":"list","items":{"type":"integer"},"maxItems":2,"learns":"a value of the test"}},"maxBytes":64}
// control: prints {"s":[1,2]}
#define HONEST "{\"result\":{\"s\":[1,2]}}\n"

SAYS("{\"result\":{\"s\":[1,2,3]}}\n")

// Returns 65 bytes where 64 are declared.
// host: code E0524 exit 14
// manifest: "result": {"kind":"record","fields":{"s":{"type":"text","maxLength":1000,"learns":"a value of the test"}},"maxBytes":64}
// control: prints {"s":"a"}
#define HONEST "{\"result\":{\"s\":\"a\"}}\n"

SAYS("{\"result\":{\"s\":\"123456789012345678901234567890123456789012345678901234567\"}}\n")

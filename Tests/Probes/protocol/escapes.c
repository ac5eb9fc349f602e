// Returns a text that would clear a terminal and turn the direction of writing.
// host: prints {"s":"a\u001b[2J\u202eb\u0007\u009bc"}
// manifest: "result": {"kind":"record","fields":{"s":{"type":"text","maxLength":80,"invisible":true,"learns":"a value of the test"}},"maxBytes":128}
// control: prints {"s":"a"}
#define HONEST "{\"result\":{\"s\":\"a\"}}\n"

SAYS("{\"result\":{\"s\":\"a\\u001b[2J\\u202eb\\u0007\\u009bc\"}}\n")

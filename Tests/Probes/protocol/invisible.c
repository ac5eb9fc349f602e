// Returns a text with letters that nobody sees, where its manifest declares none.
// host: code E0544 exit 14
// manifest: "result": {"kind":"record","fields":{"s":{"type":"text","maxLength":80,"learns":"a value of the test"}},"maxBytes":128}
// control: prints {"s":"ab"}
#define HONEST "{\"result\":{\"s\":\"ab\"}}\n"

SAYS("{\"result\":{\"s\":\"a\\u200b\\u200d\\u2060b\"}}\n")

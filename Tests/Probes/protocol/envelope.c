// Returns a text that would end the host's own JSON and begin another line.
// host: prints {"s":"\"}\n{\"s\":\"no\"}\r\n"}
// manifest: "result": {"kind":"record","fields":{"s":{"type":"text","maxLength":80,"learns":"a value of the test"}},"maxBytes":128}
// control: prints {"s":"a"}
#define HONEST "{\"result\":{\"s\":\"a\"}}\n"

SAYS("{\"result\":{\"s\":\"\\\"}\\n{\\\"s\\\":\\\"no\\\"}\\r\\n\"}}\n")

// Returns the same text to an app, as a second answer in the host's name.
// host: prints {"id":1,"result":{"value":{"s":"\"}}}\n{\"id\":1,\"error\":{}}"}}}
// manifest: "result": {"kind":"record","fields":{"s":{"type":"text","maxLength":80,"learns":"a value of the test"}},"maxBytes":128}
// through: an app
// control: prints {"id":1,"result":{"value":{"s":"a"}}}
#define HONEST "{\"result\":{\"s\":\"a\"}}\n"

SAYS("{\"result\":{\"s\":\"\\\"}}}\\n{\\\"id\\\":1,\\\"error\\\":{}}\"}}\n")

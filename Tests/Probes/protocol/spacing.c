// Carries bits in spaces, the order of fields and trailing zeros. The host writes the result anew.
// host: prints {"a":1,"b":0.5}
// manifest: "result": {"kind":"record","fields":{"a":{"type":"integer","learns":"a value of the test"},"b":{"type":"real","learns":"a value of the test"}},"maxBytes":64}
// control: prints {"a":1,"b":0.5}
#define HONEST "{\"result\":{\"a\":1,\"b\":0.5}}\n"

SAYS("  { \"result\" : {\"b\":5.00e-1 ,\t\"a\":1}}  \r\n")

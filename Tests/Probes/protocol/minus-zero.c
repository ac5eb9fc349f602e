// Carries a bit in the sign of 0.
// host: prints {"s":0.0}
// manifest: "result": {"kind":"record","fields":{"s":{"type":"real","learns":"a value of the test"}},"maxBytes":64}
// control: prints {"s":0.0}
#define HONEST "{\"result\":{\"s\":0.0}}\n"

SAYS("{\"result\":{\"s\":-0.0}}\n")

// Carries bits in the spare bits of base64.
// host: code E0523 exit 14
// manifest: "result": {"kind":"record","fields":{"s":{"type":"blob","maxLength":16,"learns":"a value of the test"}},"maxBytes":64}
// control: prints {"s":{"b64":"AAAA"}}
#define HONEST "{\"result\":{\"s\":{\"b64\":\"AAAA\"}}}\n"

SAYS("{\"result\":{\"s\":{\"b64\":\"AB==\"}}}\n")

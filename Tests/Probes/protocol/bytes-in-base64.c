// Returns bytes in base64 where raw ones are declared.
// host: code E0523 exit 14
// manifest: "result": {"kind":"bytes","mediaType":"image/png","learns":"bytes of the test","maxBytes":64}
// control: prints abcd
#define HONEST "{\"result\":{\"bytes\":4,\"mediaType\":\"image/png\"}}\nabcd"

SAYS_AT_ONCE("{\"result\":{\"b64\":\"AAAA\"}}\n")

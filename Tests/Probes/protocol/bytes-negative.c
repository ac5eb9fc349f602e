// Announces -1 bytes.
// host: code E0523 exit 14
// manifest: "result": {"kind":"bytes","mediaType":"image/png","learns":"bytes of the test","maxBytes":64}
// control: prints abcd
#define HONEST "{\"result\":{\"bytes\":4,\"mediaType\":\"image/png\"}}\nabcd"

SAYS_AT_ONCE("{\"result\":{\"bytes\":-1,\"mediaType\":\"image/png\"}}\nabcd")

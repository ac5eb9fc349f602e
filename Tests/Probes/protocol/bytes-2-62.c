// Announces 2^62 bytes.
// host: code E0524 exit 14
// manifest: "result": {"kind":"bytes","mediaType":"image/png","learns":"bytes of the test","maxBytes":64}
// control: prints abcd
#define HONEST "{\"result\":{\"bytes\":4,\"mediaType\":\"image/png\"}}\nabcd"

SAYS_AT_ONCE("{\"result\":{\"bytes\":4611686018427387904,\"mediaType\":\"image/png\"}}\nabcd")

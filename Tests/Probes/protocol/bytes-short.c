// Announces 8 bytes and sends 4.
// host: code E0525 exit 14
// manifest: "result": {"kind":"bytes","mediaType":"image/png","learns":"bytes of the test","maxBytes":64}
// control: prints abcd
// says: the output ended within the bytes that its result announced
#define HONEST "{\"result\":{\"bytes\":4,\"mediaType\":\"image/png\"}}\nabcd"

SAYS_AT_ONCE("{\"result\":{\"bytes\":8,\"mediaType\":\"image/png\"}}\nabcd")

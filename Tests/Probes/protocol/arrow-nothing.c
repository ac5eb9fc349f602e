// Announces a table in Arrow of no bytes.
// host: code E0523 exit 14
// manifest: "result": {"kind":"table","columns":[{"name":"s","type":"text","maxLength":40,"learns":"a value of the test"}],"maxRows":2,"maxBytes":256}
// control: prints [["a"]]
#define HONEST "{\"result\":{\"rows\":[[\"a\"]]}}\n"

SAYS_AT_ONCE("{\"result\":{\"batch\":{\"rows\":0,\"bytes\":0}}}\n")

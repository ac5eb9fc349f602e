// Writes a column twice in a row.
// host: code E0523 exit 14
// form: filter ndjson
// manifest: "result": {"kind":"table","columns":[{"name":"n","type":"integer","learns":"a value of the test"},{"name":"s","type":"text","maxLength":8,"learns":"a value of the test"}],"maxRows":2,"maxBytes":256}
// control: prints [[1,"a"]]
#define HONEST "{\"n\":1,\"s\":\"a\"}\n"

SAYS_AT_ONCE("{\"n\":1,\"n\":2,\"s\":\"a\"}\n")

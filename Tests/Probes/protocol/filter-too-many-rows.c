// Writes 3 rows where 2 are declared.
// host: code E0524 exit 14
// form: filter ndjson
// manifest: "result": {"kind":"table","columns":[{"name":"n","type":"integer","learns":"a value of the test"},{"name":"s","type":"text","maxLength":8,"learns":"a value of the test"}],"maxRows":2,"maxBytes":256}
// control: prints [[1,"a"]]
#define HONEST "{\"n\":1,\"s\":\"a\"}\n"

SAYS_AT_ONCE("[1,\"a\"]\n[2,\"b\"]\n[3,\"c\"]\n")

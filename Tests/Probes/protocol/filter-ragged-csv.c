// Writes a record with a field too many.
// host: code E0523 exit 14
// form: filter csv
// manifest: "result": {"kind":"table","columns":[{"name":"n","type":"integer","learns":"a value of the test"},{"name":"s","type":"text","maxLength":8,"learns":"a value of the test"}],"maxRows":2,"maxBytes":256}
// control: prints [[1,"a"]]
#define HONEST "n,s\n1,a\n"

SAYS_AT_ONCE("n,s\n1,a,b\n")

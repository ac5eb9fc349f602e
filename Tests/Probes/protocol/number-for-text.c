// Returns a number in a column of text.
// host: code E0523 exit 14
// manifest: "result": {"kind":"table","columns":[{"name":"s","type":"text","maxLength":40,"learns":"a value of the test"}],"maxRows":2,"maxBytes":256}
// control: prints [["a"]]
#define HONEST "{\"result\":{\"rows\":[[\"a\"]]}}\n"

SAYS("{\"result\":{\"rows\":[[7]]}}\n")

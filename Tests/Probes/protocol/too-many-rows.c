// Returns 3 rows where 2 are declared.
// host: code E0524 exit 14
// manifest: "result": {"kind":"table","columns":[{"name":"s","type":"text","maxLength":40,"learns":"a value of the test"}],"maxRows":2,"maxBytes":256}
// control: prints [["a"]]
#define HONEST "{\"result\":{\"rows\":[[\"a\"]]}}\n"

SAYS("{\"result\":{\"rows\":[[\"a\"],[\"b\"],[\"c\"]]}}\n")

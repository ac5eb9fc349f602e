// Returns a cell that would print as another row of the table.
// host: prints s⏎1\nx\t0\u{1b}[31m
// manifest: "result": {"kind":"table","columns":[{"name":"s","type":"text","maxLength":40,"invisible":true,"learns":"a value of the test"}],"maxRows":2,"maxBytes":256}
// through: a table
// control: prints s⏎a
#define HONEST "{\"result\":{\"rows\":[[\"a\"]]}}\n"

SAYS("{\"result\":{\"rows\":[[\"1\\nx\\t0\\u001b[31m\"]]}}\n")

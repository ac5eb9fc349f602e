// Announces a table in Arrow and sends junk.
// host: code E0523 exit 14
// manifest: "result": {"kind":"table","columns":[{"name":"s","type":"text","maxLength":40,"learns":"a value of the test"}],"maxRows":2,"maxBytes":256}
// control: prints [["a"]]
#define HONEST "{\"result\":{\"rows\":[[\"a\"]]}}\n"

MISDEED {
    say("{\"result\":{\"batch\":{\"rows\":1,\"bytes\":64}}}\n");
    repeat("junk", 16);
    return 0;
}

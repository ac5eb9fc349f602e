// Announces a table in Arrow whose first message says that it has 2 GiB.
// host: code E0523 exit 14
// manifest: "result": {"kind":"table","columns":[{"name":"s","type":"text","maxLength":40,"learns":"a value of the test"}],"maxRows":2,"maxBytes":256}
// control: prints [["a"]]
#define HONEST "{\"result\":{\"rows\":[[\"a\"]]}}\n"

MISDEED {
    say("{\"result\":{\"batch\":{\"rows\":1,\"bytes\":16}}}\n");
    put("\xFF\xFF\xFF\xFF\xF8\xFF\xFF\x7F\0\0\0\0\0\0\0\0", 16);
    return 0;
}

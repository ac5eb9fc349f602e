// Returns four million empty arrays in one result.
// host: code E0521 exit 14
// memory: 128
// manifest: "result": {"kind":"table","columns":[{"name":"n","type":"integer","learns":"a value of the test"}],"maxRows":1000000,"maxBytes":16000000}
// control: prints [[1]]
// says: too large
#define HONEST "{\"result\":{\"rows\":[[1]]}}\n"

MISDEED {
    say("{\"result\":{\"rows\":[[]");
    repeat(",[]", 4000000);
    say("]}}\n");
    return 0;
}

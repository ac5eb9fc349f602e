// Returns 900 000 empty objects in one result: a value takes more memory than its three bytes.
// host: code E0523 exit 14
// memory: 128
// manifest: "result": {"kind":"table","columns":[{"name":"n","type":"integer","learns":"a value of the test"}],"maxRows":1000000,"maxBytes":16000000}
// control: prints [[1]]
#define HONEST "{\"result\":{\"rows\":[[1]]}}\n"

MISDEED {
    say("{\"result\":{\"rows\":[{}");
    repeat(",{}", 900000);
    say("]}}\n");
    return 0;
}

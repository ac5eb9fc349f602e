// Returns 45 000 bytes in base64 where 16 are declared.
// host: code E0524 exit 14
// manifest: "result": {"kind":"record","fields":{"s":{"type":"blob","maxLength":16,"learns":"a value of the test"}},"maxBytes":64}
// control: prints {"s":{"b64":"AAAA"}}
#define HONEST "{\"result\":{\"s\":{\"b64\":\"AAAA\"}}}\n"

MISDEED {
    rows();
    say("{\"result\":{\"s\":{\"b64\":\"");
    repeat("AAAA", 15000);
    say("\"}}}\n");
    return 0;
}

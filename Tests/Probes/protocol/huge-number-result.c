// Writes a number of 12 million digits, which takes a reader of long numbers minutes.
// host: code E0521 exit 14
// manifest: "result": {"kind":"record","fields":{"n":{"type":"integer","learns":"a value of the test"}},"maxBytes":16000000}
// memory: 80
MISDEED {
    rows();
    say("{\"result\":{\"n\":");
    repeat("9", 12000000);
    say("}}\n");
    return 0;
}

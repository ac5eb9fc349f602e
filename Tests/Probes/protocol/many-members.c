// Returns an object of 200 000 members, whose names a reader has to compare.
// host: code E0523 exit 14
// memory: 128
// manifest: "result": {"kind":"record","fields":{"n":{"type":"integer","learns":"a value of the test"}},"maxBytes":16000000}
MISDEED {
    char text[32];
    say("{\"result\":{\"n\":1");
    for (int i = 0; i < 200000; i++) {
        put(text, (size_t)snprintf(text, sizeof text, ",\"m%d\":1", i));
    }
    say("}}\n");
    return 0;
}

// Nests 100 000 arrays in a result, to overflow the stack of a reader that calls itself.
// host: code E0521 exit 14
// manifest: "result": {"kind":"record","fields":{"n":{"type":"integer","learns":"a value of the test"}},"maxBytes":1000000}
// says: nested too deeply
MISDEED {
    say("{\"result\":{\"n\":");
    repeat("[", 100000);
    repeat("]", 100000);
    say("}}\n");
    return 0;
}

// Returns a field that is named like the first contact.
// host: code E0523 exit 14
MISDEED {
    rows();
    say("{\"result\":{\"");
    say(cell());
    say("\":1}}\n");
    return 0;
}

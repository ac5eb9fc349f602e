// Writes a message that is named like the first contact.
// host: code E0522 exit 14
MISDEED {
    rows();
    say("{\"");
    say(cell());
    say("\":1}\n");
    return 0;
}

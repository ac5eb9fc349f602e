// Refuses with a code that is the name of the first contact.
// host: code E0522 exit 14
MISDEED {
    rows();
    say("{\"refuse\":{\"code\":\"");
    say(cell());
    say("\",\"message\":\"\"}}\n");
    return 0;
}

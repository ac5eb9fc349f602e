// Says the name of the first contact in a refusal.
// host: code E0545 exit 16
MISDEED {
    rows();
    say("{\"refuse\":{\"code\":\"not-enough-data\",\"message\":\"");
    say(cell());
    say("\"}}\n");
    return 0;
}

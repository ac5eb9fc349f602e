// Writes a number of 60 000 digits.
// host: code E0521 exit 14
MISDEED {
    rows();
    say("{\"result\":{\"n\":");
    repeat("9", 60000);
    say("}}\n");
    return 0;
}

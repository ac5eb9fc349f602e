// Writes a line of 1 GB that begins as a result does, which alone may be long.
// host: code E0524 exit 14
MISDEED {
    say("{\"result\":{\"n\":");
    repeat("1", 1000000000);
    return 0;
}

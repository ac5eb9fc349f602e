// Writes a million empty objects as lines.
// host: code E0522 exit 14
MISDEED {
    repeat("{}\n", 1000000);
    return 0;
}

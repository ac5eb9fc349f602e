// Writes a remark of 1 GB.
// host: code E0520 exit 14
MISDEED {
    say("{\"progress\":0.5,\"note\":\"");
    repeat("x", 1000000000);
    return 0;
}

// Asks for an asset by a handle of 257 bytes.
// host: code E0520 exit 14
// form: asset
MISDEED {
    say("{\"ask\":\"asset\",\"id\":\"");
    repeat("a", 257);
    say("\"}\n");
    return 0;
}

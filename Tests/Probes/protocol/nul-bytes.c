// Puts NUL bytes before a line, where a reader in C sees the end of a text.
// host: code E0521 exit 14
MISDEED {
    put("\0\0{\"result\":{\"n\":1}}\n", 21);
    return 0;
}

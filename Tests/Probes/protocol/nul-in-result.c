// Puts a NUL byte after the result, within its line.
// host: code E0521 exit 14
MISDEED {
    put("{\"result\":{\"n\":1}}\0{}\n", 22);
    return 0;
}

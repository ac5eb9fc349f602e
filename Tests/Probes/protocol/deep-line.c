// Nests 30 000 arrays in a line that is short enough.
// host: code E0521 exit 14
// says: nested too deeply
MISDEED {
    rows();
    say("[");
    repeat("[", 30000);
    say("\n");
    return 0;
}

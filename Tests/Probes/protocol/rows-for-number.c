// Returns the rows themselves where a number is declared.
// host: code E0523 exit 14
MISDEED {
    rows();
    say("{\"result\":{\"n\":");
    char *end = strrchr(line, ']');
    if (end) end[1] = 0;
    say(strstr(line, "[["));
    say("}}\n");
    return 0;
}

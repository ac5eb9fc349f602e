// Gives back its rows.
// host: code E0523 exit 14
// form: filter ndjson
#define HONEST "{\"n\":1}\n"

MISDEED {
    say(line);
    return 0;
}

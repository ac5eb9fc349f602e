// Writes a good result and exits with 3.
// host: code E0540 exit 16
// form: filter ndjson
#define HONEST "{\"n\":1}\n"

MISDEED {
    say(HONEST);
    return 3;
}

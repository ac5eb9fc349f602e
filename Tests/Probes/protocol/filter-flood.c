// Writes without end.
// host: code E0520 exit 14
// form: filter ndjson
#define HONEST "{\"n\":1}\n"

MISDEED {
    for (;;) repeat("{\"n\":1}\n", 1000);
}

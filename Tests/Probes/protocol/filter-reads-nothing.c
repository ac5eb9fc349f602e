// Closes its input, of which a megabyte waits, and gives a result. It has heard enough: this goes through.
// host: prints {"n":1}
// form: filter ndjson
// rows: many
#define READS_NOTHING
#define HONEST "{\"n\":1}\n"

MISDEED {
    close(0);
    say(HONEST);
    return 0;
}

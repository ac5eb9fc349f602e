// Neither reads its rows nor ends.
// host: code E0530 exit 15
// form: filter ndjson
// manifest: "limits": {"wallSeconds":4,"cpuSeconds":4,"memoryMiB":64,"logKiB":64}
// rows: many
#define READS_NOTHING
#define HONEST "{\"n\":1}\n"

MISDEED {
    wait_for_ever();
    return 0;
}

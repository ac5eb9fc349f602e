// Writes the first half of an Arrow stream.
// host: code E0523 exit 14
// form: filter arrow
// manifest: "result": {"kind":"table","columns":[{"name":"n","type":"integer","learns":"a value of the test"}],"maxRows":2,"maxBytes":256}
// control: prints []
#define NO_ROWS

MISDEED {
    put(no_rows, (size_t)(no_rows_end - no_rows) / 2);
    return 0;
}

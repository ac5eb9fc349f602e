// Writes junk where an Arrow stream is declared.
// host: code E0523 exit 14
// form: filter arrow
// manifest: "result": {"kind":"table","columns":[{"name":"n","type":"integer","learns":"a value of the test"}],"maxRows":2,"maxBytes":256}
// control: prints []
#define NO_ROWS

MISDEED {
    repeat("junk", 64);
    return 0;
}

// Writes bytes that are no UTF-8 where a text is declared.
// host: code E0523 exit 14
// form: filter ndjson
// manifest: "result": {"kind":"text","mediaType":"text/plain","maxLength":40,"learns":"bytes of the test","maxBytes":64}
// control: prints "ok"
#define HONEST "ok\n"

SAYS_AT_ONCE("caf\xE9\n")

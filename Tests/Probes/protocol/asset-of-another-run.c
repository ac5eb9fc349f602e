// Asks for an asset by the handle of an earlier run, which that run had returned.
// host: prints {"handle":"none"}
// form: asset
// manifest: "result": {"kind":"record","fields":{"handle":{"type":"text","maxLength":40,"learns":"a value of the test"}},"maxBytes":128}
// manifest: "parameters": {"behave":{"type":"text","maxLength":20,"default":"badly"},"earlier":{"type":"text","maxLength":40,"default":""}}
// again: handle earlier
// control: prints {"handle":"mine"}
#define HONEST "{\"result\":{\"handle\":\"mine\"}}\n"

MISDEED {
    static char earlier[600], result[700];
    const char *start = strstr(line, "\"earlier\":\"");
    if (start) snprintf(earlier, sizeof earlier, "%.*s", (int)strcspn(start + 11, "\""), start + 11);
    rows();
    /* The first run returns what it was given; the second tries that. */
    snprintf(result, sizeof result, "{\"result\":{\"handle\":\"%s\"}}\n",
             !earlier[0] ? cell() : gets_asset(earlier) ? "WORKED" : "none");
    say(result);
    return 0;
}

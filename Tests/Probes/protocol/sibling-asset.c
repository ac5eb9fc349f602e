// Asks for the file beside the one whose handle it was given, by counting on.
// host: prints {"n":0}
// form: asset
// manifest: "defaultAccess": {"sql":"SELECT asset FROM Photos LIMIT 1"}
MISDEED {
    char handle[512];
    rows();
    snprintf(handle, sizeof handle, "%s", cell());
    char *last = handle + strlen(handle) - 1;
    *last = *last == '0' ? '1' : '0';
    return tell(gets_asset(handle));
}

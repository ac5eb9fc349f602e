// Spells the handle that it was given in other ways.
// host: prints {"n":0}
// form: asset
MISDEED {
    char handle[600];
    rows();
    snprintf(handle, sizeof handle, "%s ", cell());
    int worked = gets_asset(handle);
    snprintf(handle, sizeof handle, "./%s", cell());
    worked |= gets_asset(handle);
    snprintf(handle, sizeof handle, "%.*s00", (int)strlen(cell()) - 1, cell());
    return tell(worked | gets_asset(handle));
}

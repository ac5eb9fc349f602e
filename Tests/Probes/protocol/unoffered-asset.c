// Asks for an asset by a handle that nobody gave it.
// host: prints {"n":0}
// form: asset
MISDEED {
    rows();
    return tell(gets_asset("a0-0"));
}

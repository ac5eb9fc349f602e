// Asks for an asset by a path.
// host: prints {"n":0}
// form: asset
MISDEED {
    rows();
    return tell(gets_asset("../../../../etc/passwd") || gets_asset("/etc/passwd") || gets_asset("file:///etc/passwd"));
}

// Asks for an asset by a handle with a NUL in it.
// host: code E0521 exit 14
// form: asset
MISDEED {
    rows();
    gets_asset("a0-0\\u0000.png");
    return tell(1);
}

// Asks for rows, which its manifest does not declare.
// host: code E0526 exit 14
// manifest: "protocol": {"major":1,"mode":"ask","features":[]}
#define WITHOUT_ROWS

MISDEED {
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":1}\n");
    hear();
    return 0;
}

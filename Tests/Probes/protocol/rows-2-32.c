// Asks for 2^32 rows, which is 0 in 32 bits.
// host: code E0527 exit 14
MISDEED {
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":4294967296}\n");
    hear();
    return tell(1);
}

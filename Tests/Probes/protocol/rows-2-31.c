// Asks for 2^31 rows, which is negative in 32 bits.
// host: code E0527 exit 14
MISDEED {
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":2147483648}\n");
    hear();
    return tell(1);
}

// Asks for 2^63 rows, which is negative in 64 bits.
// host: code E0521 exit 14
MISDEED {
    say("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":9223372036854775808}\n");
    hear();
    return tell(1);
}

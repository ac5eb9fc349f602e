// Sends 100 000 asks ahead of their answers.
// host: code E0528 exit 14
MISDEED {
    repeat("{\"ask\":\"rows\",\"rows\":\"json\",\"max\":1}\n", 100000);
    return 0;
}

// Writes its result in UTF-16, as some languages print by themselves.
// host: code E0521 exit 14
MISDEED {
    rows();
    put("\xFF\xFE{\0\"\0r\0\"\0}\0\n\0", 14);
    return 0;
}

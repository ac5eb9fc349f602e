// Gives its result and exits with 1.
// host: code E0540 exit 16
MISDEED {
    tell(1);
    return 1;
}

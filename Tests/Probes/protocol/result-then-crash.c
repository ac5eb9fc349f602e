// Gives its result and crashes.
// host: code E0541 exit 16
MISDEED {
    tell(1);
    *(volatile int *)8 = 1;
    return 0;
}

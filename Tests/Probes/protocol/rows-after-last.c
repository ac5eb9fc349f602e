// Asks for more after the last row, and never stops asking.
// host: code E0527 exit 14
MISDEED {
    for (;;) ask(1);
}

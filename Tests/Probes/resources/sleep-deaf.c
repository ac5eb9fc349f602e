// Sleeps for ever, and ignores every signal that it can.
// limits: wallSeconds 0.4
// strict: limit wall
PROBE {
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    do rest(500);
    while (!outside());
    return tell(0);
}

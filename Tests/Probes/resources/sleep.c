// Sleeps for ever.
// limits: wallSeconds 0.4
// strict: limit wall
PROBE {
    do rest(500);
    while (!outside());
    return tell(0);
}

// Never reads what the host writes.
// limits: wallSeconds 0.4
// input: 8388608
// strict: limit wall
PROBE {
    do rest(500);
    while (!outside());
    return tell(0);
}

// Writes exactly as much to its log as it may: that is no fault.
// limits: logBytes 1000
// strict: prints DID IT
PROBE {
    static char block[1000];
    return tell(write(2, block, sizeof block) == sizeof block ? 0 : -1);
}

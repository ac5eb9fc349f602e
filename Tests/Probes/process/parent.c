// Asks who its parent is: nobody that it could name.
// strict: prints NOBODY
PROBE {
    puts(getppid() > 0 ? "DID IT" : "NOBODY");
    return 0;
}

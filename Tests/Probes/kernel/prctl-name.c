// Renames itself, which honest runtimes do. It is pretended: the name stays, as `SharingTests` sees from outside.
// strict: prints DID IT
PROBE { return tell(prctl(PR_SET_NAME, "x", 0, 0, 0)); }

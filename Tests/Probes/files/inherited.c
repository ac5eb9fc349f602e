// Uses a descriptor that the host forgot to close.
// strict: prints NOTHING OPEN
// control: prints DID IT
PROBE {
    // The host holds one open on purpose, without close-on-exec.
    for (int i = 3; i < 4096; i++) {
        if (fcntl(i, F_GETFD) >= 0) return tell(0);
    }
    printf("NOTHING OPEN\n");
    return 0;
}

// Ends itself as if the host had done it, by the call that it may make. The first process of a namespace is deaf to that.
// strict: exit 3
// control: signal SIGKILL
PROBE {
    raise(SIGKILL);
    return 3;
}

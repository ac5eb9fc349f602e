// Claims that it was stopped by the filter: a signal that it sends itself says nothing.
// strict: exit 3
// control: signal SIGSYS
PROBE {
    raise(SIGSYS);
    return 3;
}

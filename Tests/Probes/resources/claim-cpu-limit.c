// Claims that it reached the limit of processor time, to be excused. It is deaf to that signal as well.
// strict: exit 3
// control: signal SIGXCPU
PROBE {
    raise(SIGXCPU);
    return 3;
}

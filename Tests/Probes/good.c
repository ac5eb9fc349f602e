// The plugin that package/ forges packages of: it does nothing wrong.
MISDEED {
    struct timespec pause = {0, strstr(line, "\"behave-slowly\"") ? 300000000 : 0};
    rows();
    nanosleep(&pause, NULL);
    return tell(1);
}

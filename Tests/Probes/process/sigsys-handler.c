// Installs a handler for the signal that many filters send, then opens a socket. The handler is never called: a
// violation is no signal, and nothing of the plugin's runs after it.
// strict: violation socket(AF_INET, SOCK_STREAM)
static void handler(int number) {
    (void)number;
    tell(0);
    _exit(0);
}

PROBE {
    signal(SIGSYS, handler);
    return tell(socket(AF_INET, SOCK_STREAM, 0));
}

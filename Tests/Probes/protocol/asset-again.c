// Asks for one asset 10 001 times.
// host: code E0536 exit 15
// manifest: "limits": {"wallSeconds":60,"cpuSeconds":60,"memoryMiB":64,"logKiB":64}
// form: asset
MISDEED {
    char handle[512], waste[4096];
    rows();
    snprintf(handle, sizeof handle, "{\"ask\":\"asset\",\"id\":\"%s\"}\n", cell());
    for (int i = 0; i < 10001; i++) {
        say(handle);
        if (!hear()) return 3;
        for (long left = atol(strstr(line, "\"bytes\":") + 8); left > 0;) {
            size_t got = take(waste, left < 4096 ? (size_t)left : 4096);
            if (!got) return 4;
            left -= (long)got;
        }
    }
    return tell(1);
}

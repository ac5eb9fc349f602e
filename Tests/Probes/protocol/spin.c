// Computes without end.
// host: code E0531 exit 15
// manifest: "limits": {"wallSeconds":60,"cpuSeconds":1,"memoryMiB":64,"logKiB":64}
MISDEED {
    for (volatile unsigned long i = 0;; i++) {
    }
}

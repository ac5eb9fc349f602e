// Tells its progress 100 000 times before it gives a result.
// host: prints {"n":1}
// manifest: "limits": {"wallSeconds":60,"cpuSeconds":60,"memoryMiB":64,"logKiB":64}
MISDEED {
    repeat("{\"progress\":0.5}\n", 100000);
    return tell(1);
}

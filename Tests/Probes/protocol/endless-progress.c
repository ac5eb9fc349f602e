// Tells its progress without end, in remarks of 4 000 bytes.
// host: code E0533 exit 15
// manifest: "limits": {"wallSeconds":60,"cpuSeconds":60,"memoryMiB":64,"logKiB":64}
MISDEED {
    char remark[4001];
    memset(remark, 'x', sizeof remark);
    memcpy(remark, "{\"progress\":0.5,\"note\":\"", 24);
    memcpy(remark + sizeof remark - 3, "\"}\n", 3);
    for (;;) put(remark, sizeof remark);
}

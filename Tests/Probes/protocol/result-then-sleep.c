// Gives its result and does not end.
// host: code E0530 exit 15
// manifest: "limits": {"wallSeconds":4,"cpuSeconds":4,"memoryMiB":64,"logKiB":64}
MISDEED {
    tell(1);
    wait_for_ever();
    return 0;
}

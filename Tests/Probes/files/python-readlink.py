# A script reads where procfs's link to the root directory leads.
# runtime: prints its own
link = os.stat("/proc/self/root/etc") if outside() else None
print("DID IT" if link else "its own" if os.readlink("/proc/self/root") == "/" else "another")

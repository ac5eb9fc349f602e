# A script lists the processes of this machine.
# runtime: prints its own
others = [name for name in os.listdir("/proc") if name.isdigit() and name != str(os.getpid())]
print("DID IT" if others else "its own")

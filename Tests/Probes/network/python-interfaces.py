# A script counts the network interfaces that its private procfs shows. Where this machine masks parts of its own
# /proc, there is none.
# runtime: prints ONLY LO
try:
    lines = open("/proc/self/net/dev").read().split("\n")[2:]
except FileNotFoundError:
    lines = []
others = [line for line in lines if line and line.split(":")[0].strip() != "lo"]
print("DID IT" if others else "ONLY LO")

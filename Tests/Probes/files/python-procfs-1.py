# A script reads the environment of process 1: outside that is the machine's first, inside it is the script itself.
# runtime: prints its own
# needs: rights over process 1, else EACCES
try:
    text = open("/proc/1/environ", "rb").read()
    print("its own" if b"ESCROW_PLUGIN=1" in text else "DID IT")
except OSError as error:
    print("REFUSED", errno.errorcode[error.errno])

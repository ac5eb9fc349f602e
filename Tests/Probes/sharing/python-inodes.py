# A script opens a file of the device that the machine has its libraries on: what it touches there is in the memory that
# all processes of the machine share.
# argument: device
# runtime: prints its own
shared = False
for place in ["/plugin", os.path.dirname(os.__file__), "/usr/lib/" + sys.implementation._multiarch, "/usr/lib64"]:
    for folder, _, names in os.walk(place):
        for path in [folder] + [folder + "/" + name for name in names]:
            try:
                file = os.open(path, os.O_RDONLY)
            except OSError:
                continue
            shared = shared or os.fstat(file).st_dev == int(sys.argv[1])
            os.close(file)
print("DID IT" if shared else "its own", flush=True)

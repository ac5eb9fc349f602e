# Is cut off after its header.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    del program[64:]
    return package.upgrade().put(bytes(program)).archive()

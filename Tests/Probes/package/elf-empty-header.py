# Is cut off after the first bytes of its header.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    del program[20:]
    return package.upgrade().put(bytes(program)).archive()

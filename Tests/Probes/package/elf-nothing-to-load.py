# Has nothing to load.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    for at in headers(program, 1):
        program[at:at + 4] = struct.pack("<I", 0x60000000)
    return package.upgrade().put(bytes(program)).archive()

# Has a stack that is executable.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    at = next(headers(program, 0x6474e551))
    program[at + 4:at + 8] = struct.pack("<I", 7)
    return package.upgrade().put(bytes(program)).archive()

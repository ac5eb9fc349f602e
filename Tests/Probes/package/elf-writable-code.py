# Has memory that is writable and executable.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    at = next(headers(program, 1))
    program[at + 4:at + 8] = struct.pack("<I", 7)
    return package.upgrade().put(bytes(program)).archive()

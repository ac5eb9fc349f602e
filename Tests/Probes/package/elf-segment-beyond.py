# Has a segment that lies behind its end.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    at = next(headers(program, 1))
    program[at + 32:at + 40] = struct.pack("<Q", 2**40)
    return package.upgrade().put(bytes(program)).archive()

# Has its program headers at 2^64 - 8.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    program[32:40] = struct.pack("<Q", 2**64 - 8)
    return package.upgrade().put(bytes(program)).archive()

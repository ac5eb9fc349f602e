# Has its program headers across its end.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    program[32:40] = struct.pack("<Q", len(program) - 60)
    return package.upgrade().put(bytes(program)).archive()

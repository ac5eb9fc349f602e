# Has no program headers.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    program[56:58] = struct.pack("<H", 0)
    return package.upgrade().put(bytes(program)).archive()

# Is an object file.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    program[16:18] = struct.pack("<H", 1)
    return package.upgrade().put(bytes(program)).archive()

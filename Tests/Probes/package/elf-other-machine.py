# Is an executable for another machine.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    program[18:20] = struct.pack("<H", 8)
    return package.upgrade().put(bytes(program)).archive()

# Begins where there is no memory.
# host: code E0541 exit 16 at run
def forge(package):
    program = bytearray(package.program)
    program[24:32] = struct.pack("<Q", 8)
    return package.upgrade().put(bytes(program)).archive()

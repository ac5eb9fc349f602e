# Is an executable of 32 bits.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    program[4] = 1
    return package.upgrade().put(bytes(program)).archive()

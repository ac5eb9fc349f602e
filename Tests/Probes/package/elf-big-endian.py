# Is an executable of another byte order.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    program[5] = 2
    return package.upgrade().put(bytes(program)).archive()

# Is cut off in the middle, so that what is to run lies behind its end.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    del program[len(program) // 2:]
    return package.upgrade().put(bytes(program)).archive()

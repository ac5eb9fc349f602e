# Names a loader, as a dynamic executable does.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    at = next(headers(program, 4))
    program[at:at + 4] = struct.pack("<I", 3)
    return package.upgrade().put(bytes(program)).archive()

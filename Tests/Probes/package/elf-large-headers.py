# Has program headers of 65 535 bytes.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    program[54:56] = struct.pack("<H", 65535)
    return package.upgrade().put(bytes(program)).archive()

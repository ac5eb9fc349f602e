# Is a script with a line that names a shell.
# host: code E0205 exit 12 at run
def forge(package):
    program = bytearray(package.program)
    program = b"#!/bin/sh\necho '{\"result\":{\"n\":6}}'\n"
    return package.upgrade().put(bytes(program)).archive()

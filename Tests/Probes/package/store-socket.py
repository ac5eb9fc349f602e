# Puts a socket in its place.
# host: code E0210 exit 12 at run
def tamper(home):
    import socket
    os.unlink(home.program)
    os.chdir(home.plugin)
    socket.socket(socket.AF_UNIX).bind(PROGRAM)

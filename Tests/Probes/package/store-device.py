# Puts a device in its place: the endless one.
# host: code E0210 exit 12 at run
import stat

def build(home):
    try:
        os.mknod(home.folder + ".device", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        sys.exit("whoever runs this may not make devices")

def tamper(home):
    os.unlink(home.program)
    os.link(home.folder.removesuffix(".run") + ".device", home.program)

# A script follows a link of the distribution's that leads out of the tree of its libraries.
# runtime: refused ENOENT
# needs: a Debian python, else ENOENT
attempt(open, os.path.dirname(os.__file__) + "/sitecustomize.py")

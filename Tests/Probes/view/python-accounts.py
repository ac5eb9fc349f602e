# A script looks up the person's name. The C library asks a service for it first.
# runtime: violation socket(AF_UNIX, SOCK_STREAM)
import pwd

attempt(pwd.getpwuid, os.getuid())

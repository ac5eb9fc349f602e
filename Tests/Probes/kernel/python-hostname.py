# A script renames the machine. The control keeps its name.
# runtime: violation sethostname()
# needs: CAP_SYS_ADMIN
import socket

attempt(socket.sethostname, socket.gethostname())

# A script talks to the hypervisor.
# runtime: violation socket(AF_VSOCK, SOCK_STREAM)
# needs: a kernel with vsock, else EAFNOSUPPORT
import socket

attempt(socket.socket, socket.AF_VSOCK)

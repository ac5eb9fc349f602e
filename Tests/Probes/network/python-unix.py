# A script opens a Unix socket.
# runtime: violation socket(AF_UNIX, SOCK_STREAM)
import socket

attempt(socket.socket, socket.AF_UNIX)

# A script opens a TCP socket.
# runtime: violation socket(AF_INET, SOCK_STREAM)
import socket

attempt(socket.socket)

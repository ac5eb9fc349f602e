# A script looks a name up. The first step of the C library is to ask its cache, which has a socket.
# runtime: violation socket(AF_UNIX, SOCK_STREAM)
import socket

attempt(socket.getaddrinfo, "localhost", 80)

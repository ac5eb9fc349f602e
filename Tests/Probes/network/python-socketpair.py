# A script makes a pair of sockets, as an event loop of asyncio does.
# runtime: violation socketpair(AF_UNIX, SOCK_STREAM)
import socket

attempt(socket.socketpair)

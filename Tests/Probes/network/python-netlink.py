# A script asks the kernel for the network interfaces.
# runtime: violation socket(AF_NETLINK, SOCK_RAW)
import socket

attempt(socket.if_nameindex)

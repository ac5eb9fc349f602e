# A script opens a UDP socket.
# runtime: violation socket(AF_INET, SOCK_DGRAM)
import socket

attempt(socket.socket, socket.AF_INET, socket.SOCK_DGRAM)

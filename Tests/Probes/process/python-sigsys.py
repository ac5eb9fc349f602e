# A script handles the signal that many filters send, then opens a socket.
# runtime: violation socket(AF_INET, SOCK_STREAM)
import signal
import socket

signal.signal(signal.SIGSYS, lambda number, frame: tell(0))
attempt(socket.socket)

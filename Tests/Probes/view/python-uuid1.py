# A script makes a name from the network card's number and the time, for which libuuid asks a service.
# runtime: violation socket(AF_UNIX, SOCK_STREAM)
import uuid

attempt(uuid.uuid1)

"""Relays a port of the loopback to a Unix socket, for clients that know no other: relay.py SOCKET. Says its port, and ends with its
input."""

import asyncio
import sys


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def relay(reader, writer):
    try:
        inner_reader, inner_writer = await asyncio.open_unix_connection(sys.argv[1])
    except OSError:
        return writer.close()
    await asyncio.gather(pump(reader, inner_writer), pump(inner_reader, writer))


async def main():
    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


asyncio.run(main())

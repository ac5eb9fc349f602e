#!/usr/bin/env python3
"""A network between a device and a server that does one thing wrong: faulty-link.py FAULT PORT. Prints the port it listens at."""
import asyncio
import os
import socket
import struct
import sys

fault, server = sys.argv[1], int(sys.argv[2])
# So many bytes to the server are past every handshake, and in the midst of the rows.
MIDWAY = 200_000


class Link:
    def __init__(self, device, far):
        self.device, self.far = device, far
        self.sent, self.came = 0, 0

    def is_midway(self):
        return self.sent >= MIDWAY

    def close(self):
        for end in (self.device, self.far):
            end.close()

    def reset(self):
        for end in (self.device, self.far):
            end.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            end.transport.abort()

    async def up(self, piece):
        """Passes a piece on to the server."""
        self.sent += len(piece)
        if fault == "closes midway" and self.is_midway():
            return self.close()
        if fault == "resets midway" and self.is_midway():
            return self.reset()
        if fault == "changes a byte of the rows" and self.is_midway():
            piece = piece[:-1] + bytes([piece[-1] ^ 1])
        if fault == "repeats what it passed on" and self.is_midway():
            piece = piece + piece
        if fault == "floods the device midway" and self.is_midway():
            while True:
                self.device.write(os.urandom(65536))
                await self.device.drain()
        if fault == "delays":
            await asyncio.sleep(0.02)
        self.far.write(piece)
        await self.far.drain()

    async def down(self, piece):
        """Passes a piece on to the device."""
        self.came += len(piece)
        if fault == "truncates the handshake":
            self.device.write(piece[:100])
            await self.device.drain()
            return self.close()
        if fault == "changes a byte of the answers" and self.is_midway():
            piece = piece[:-1] + bytes([piece[-1] ^ 1])
        if fault == "passes byte by byte":
            for byte in piece:
                self.device.write(bytes([byte]))
                await self.device.drain()
            return
        self.device.write(piece)
        await self.device.drain()


async def pump(reader, writer, take):
    try:
        while piece := await reader.read(16384):
            await take(piece)
        writer.write_eof()
    except (OSError, RuntimeError):
        writer.close()


async def serve(reader, device):
    if fault == "closes at once":
        return device.close()
    if fault == "answers with noise":
        device.write(os.urandom(4096))
        return device.close()
    far_reader, far = await asyncio.open_connection("127.0.0.1", server)
    link = Link(device, far)
    await asyncio.gather(pump(reader, far, link.up), pump(far_reader, device, link.down))
    link.close()


async def main():
    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(listener.sockets[0].getsockname()[1], flush=True)
    async with listener:
        await listener.serve_forever()


asyncio.run(main())

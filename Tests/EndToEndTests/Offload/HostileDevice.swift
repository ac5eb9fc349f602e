import Foundation
import Testing

/// A device that speaks HTTP/2 by hand, so that it can do what no device of ours does: a program in Python, of which a test says the end.
struct HostileDevice {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    /// - Parameters:
    ///   - file: of its enrolment.
    ///   - body: what it does; `device` is its connection, `manifest` the plugin's.
    init(_ file: String, manifest: String = "", _ body: String) throws {
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", Self.script + body, file, manifest]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// What it says next, to the end of the line.
    func line() -> String {
        var line = ""
        while let byte = try? output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8),
            !byte.isEmpty
        { line += String(decoding: byte, as: UTF8.self) }
        return line
    }

    /// Ends it, once it reads its end of input.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private static let script = """
        import json, socket, ssl, sys, tempfile

        manifest = sys.argv[2].encode()
        RUN, CHECK = "/escrow.offload.v1.Offload/Run", "/grpc.health.v1.Health/Check"
        DATA, HEADERS, RESET, SETTINGS, PING = 0, 1, 3, 4, 6

        def field(number, value):
            size, count = b"", len(value)
            while count > 127:
                size, count = size + bytes([count & 127 | 128]), count >> 7
            return bytes([number << 3 | 2]) + size + bytes([count]) + value

        def begin(run):
            limits = bytes.fromhex("20 e0 d4 03 28 3c 30 80 04 38 80 80 40 40 80 80 04 48 10")
            return field(1, field(1, run) + field(2, b"org.example.phone-check") + field(3, manifest) + limits)

        def message(body):
            return b"\\0" + len(body).to_bytes(4, "big") + body

        class Device:
            def __init__(self, file):
                enrolment = json.load(open(file))
                tls = ssl.create_default_context()
                tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
                with tempfile.NamedTemporaryFile("w") as pair:
                    pair.write(enrolment["certificate"] + "\\n" + enrolment["key"])
                    pair.flush()
                    tls.load_cert_chain(pair.name)
                tls.set_alpn_protocols(["h2"])
                self.socket = tls.wrap_socket(socket.create_connection(("127.0.0.1", enrolment["port"])))
                self.socket.settimeout(120)
                self.last, self.rest = -1, b""
                self.socket.sendall(b"PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n")
                self.send(SETTINGS, 0, 0, b"")

            def send(self, kind, flags, stream, body):
                self.socket.sendall(
                    len(body).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + body)

            def open(self, path):
                self.last += 2
                names = {":method": "POST", ":scheme": "https", ":path": path, ":authority": "x",
                         "te": "trailers", "content-type": "application/grpc"}
                block = b"".join(b"\\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
                                 for name, value in names.items())
                self.send(HEADERS, 4, self.last, block)
                return self.last

            def more(self, count):
                while len(self.rest) < count:
                    piece = self.socket.recv(65536)
                    if not piece: raise EOFError
                    self.rest += piece
                taken, self.rest = self.rest[:count], self.rest[count:]
                return taken

            def frame(self):
                # None where the server closed; what asks for an answer is answered.
                try:
                    while True:
                        head = self.more(9)
                        kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
                        body = self.more(int.from_bytes(head[:3], "big"))
                        if kind in (SETTINGS, PING) and not flags & 1:
                            self.send(kind, 1, 0, body if kind == PING else b"")
                        elif kind in (DATA, HEADERS, RESET):
                            return kind, stream, body
                except TimeoutError:
                    raise
                except (OSError, EOFError):
                    return None

            def answer(self, stream):
                # The first message of a stream, or how it ended.
                while True:
                    frame = self.frame()
                    if frame is None: return "closed"
                    if frame[1] == stream and frame[0] == RESET: return "reset"
                    if frame[1] == stream and frame[0] == DATA and frame[2]: return frame[2][5:].hex()

        device = Device(sys.argv[1])

        """
}

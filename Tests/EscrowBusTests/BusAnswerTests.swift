import Foundation
import Testing

@testable import EscrowBus

/// Whose answer counts: a session's bus passes on those that nobody asked for.
@Suite struct BusAnswerTests {
    @Test(
        arguments: [
            (":1.7", [":1.9", ":1.7"], ":1.7"),
            ("org.freedesktop.DBus", [":1.9", "org.freedesktop.DBus"], "org.freedesktop.DBus"),
            // The bus says that a connection is gone.
            (":1.7", [":1.9", "org.freedesktop.DBus"], "org.freedesktop.DBus"),
            // Who owns a name cannot be told from it.
            ("org.example.Name", [":1.9", ":1.7"], ":1.9"),
        ] as [(String, [String], String)])
    func anAnswerIsThatOfWhoWasAsked(destination: String, senders: [String], believed: String) throws {
        let bus = try ScriptedBus(senders)
        defer { bus.end() }
        let connection = try BusConnection(socket: bus.path, patienceMs: 60_000)
        let answer = try connection.call(destination, "/", "org.example.I", "Who")
        #expect(answer == [.string(believed)])
    }
}

/// A bus for one connection: it answers the first call as it must, and the second once in the name of each of its senders.
private struct ScriptedBus {
    let path: String
    private let folder: URL
    private let listener: Int32

    init(_ senders: [String]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "bus").path
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(listener, 1) == 0)
        Thread.detachNewThread { Self.serve(listener, senders) }
    }

    func end() {
        close(listener)
        try? FileManager.default.removeItem(at: folder)
    }

    private static func serve(_ listener: Int32, _ senders: [String]) {
        let file = FileHandle(fileDescriptor: accept(listener, nil, nil), closeOnDealloc: true)
        func line() { while let byte = try? file.read(upToCount: 1), byte != Data("\n".utf8) {} }
        line()
        try? file.write(contentsOf: Data("OK 0123456789abcdef0123456789abcdef\r\n".utf8))
        line()
        for senders in [["org.freedesktop.DBus"], senders] {
            guard let head = try? file.read(upToCount: 16), let size = BusMessage.size(of: Array(head)),
                (try? file.read(upToCount: (size.fields + 7) / 8 * 8 + size.body)) != nil
            else { return }
            for sender in senders { try? file.write(contentsOf: Data(answer(to: head[8], from: sender))) }
        }
        line()
    }

    /// An answer that says who sends it.
    private static func answer(to serial: UInt8, from sender: String) -> [UInt8] {
        var body = BusWriter()
        body.append(.string(sender))
        var fields = BusWriter()
        for (code, value) in [(5, BusValue.word(UInt32(serial))), (7, .string(sender))] {
            fields.field(UInt8(code), value.type ?? "")
            fields.append(value)
        }
        fields.field(8, "g")
        fields.append(signature: "s")
        var message = BusWriter(bytes: [UInt8(ascii: "l"), 2, 1, 1])
        for number in [body.bytes.count, 1, fields.bytes.count] { message.append(.word(UInt32(number))) }
        message.bytes += fields.bytes
        message.pad(8)
        return message.bytes + body.bytes
    }
}

import EscrowOffloadWire
import Testing

/// The messages between device and server: what is written is read, and nothing else is.
@Suite struct MessageTests {
    static let fromDevice: [FromDevice] =
        [
            .begin(
                Begin(
                    run: "r-1", plugin: "org.example.a", manifest: String(repeating: "a", count: 64),
                    limits: RemoteLimits(
                        wallMilliseconds: 30_000, cpuSeconds: 20, memoryMiB: 256, outputBytes: 1 << 24,
                        logBytes: 65_536,
                        processes: 16))),
            .input([]), .input([1, 2, 3]), .input([UInt8](repeating: 7, count: 100_000)), .closeInput,
            .finish,
        ] + RemoteKill.allCases.map(FromDevice.kill)

    static let fromServer: [FromServer] =
        [
            .begun(.init(server: "home", manifest: "ab", version: "1.0.0", launchMicroseconds: 1_234)),
            .output([], consumed: 0), .output([0, 255], consumed: 1 << 40), .ended(ended),
        ] + RemoteRefusal.allCases.map(FromServer.refused)

    static var ended: Ended {
        var ended = Ended(.violation)
        ended.number = 3
        ended.word = "memory"
        ended.whenMicroseconds = 5
        ended.memoryKiB = 9_000
        ended.log = [1, 2]
        ended.syscall = .init(number: 41, table: "x86_64")
        return ended
    }

    @Test(arguments: fromDevice) func whatADeviceWritesIsRead(message: FromDevice) throws {
        #expect(try FromDevice(message.encoded) == message)
    }

    @Test(arguments: fromServer) func whatAServerWritesIsRead(message: FromServer) throws {
        #expect(try FromServer(message.encoded) == message)
    }

    /// A message that was cut off anywhere is none, or another whole one: never a part of one.
    @Test(arguments: fromServer) func aTruncatedMessageIsRefused(message: FromServer) {
        let bytes = message.encoded
        for count in bytes.indices {
            #expect(throws: OffloadWireError.self) { try FromServer(Array(bytes[..<count])) }
        }
    }

    /// One message has one spelling: what is read is written as it came.
    @Test func noMessageHasTwoSpellings() {
        var random = SystemRandomNumberGenerator()
        for message in Self.fromServer {
            for _ in 0..<2_000 {
                var bytes = message.encoded
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let index = Int.random(in: bytes.indices, using: &random)
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
                guard let read = try? FromServer(bytes) else { continue }
                #expect(read.encoded == bytes)
            }
        }
    }

    @Test(
        arguments: [
            ("unknown", [0x32, 0x00]), ("two in one", [0x1A, 0x00, 0x1A, 0x00]), ("nothing", []),
            ("a number instead", [0x08, 0x01]), ("longer than it is", [0x12, 0x7F, 0x00]),
            ("fields out of order", [0x12, 0x05, 0x10, 0x01, 0x0A, 0x01, 0x00]),
            ("a refusal of no kind", [0x22, 0x02, 0x08, 0x63]),
            ("an end of no kind", [0x1A, 0x02, 0x08, 0x09]),
            ("a number of 11 bytes", [0x12, 0x0C, 0x10] + [UInt8](repeating: 0xFF, count: 11)),
        ] as [(String, [UInt8])])
    func whatIsNoMessageIsRefused(what: String, bytes: [UInt8]) {
        #expect(throws: OffloadWireError.self, "\(what)") { try FromServer(bytes) }
    }

    @Test func aDescriptionIsRead() throws {
        var description = ServerDescription()
        description.server = "home"
        description.processors = 8
        description.isMemoryLocked = true
        description.plugins = [.init(id: "org.example.a", version: "1.2.0", manifest: "ab")]
        #expect(try ServerDescription(description.encoded) == description)
    }
}

/// Frames between the host and `escrow-remote`.
@Suite struct FrameTests {
    static let frames: [RemoteFrame] =
        [
            .connect([1]), .run, .describe, .message([]), .message([1, 2]), .close,
        ] + RemoteEnd.allCases.map(RemoteFrame.ended)

    @Test(arguments: frames) func whatIsWrittenIsRead(frame: RemoteFrame) throws {
        let bytes = frame.encoded
        let count = try RemoteFrame.length(Array(bytes.prefix(RemoteFrame.headerBytes)))
        #expect(count == bytes.count - RemoteFrame.headerBytes)
        #expect(
            try RemoteFrame(kind: bytes[0], body: Array(bytes.dropFirst(RemoteFrame.headerBytes))) == frame)
    }

    @Test(arguments: [[0, 0, 0, 0, 0], [7, 0, 0, 0, 0], [4, 0xFF, 0, 0, 0], [4, 0, 0]] as [[UInt8]])
    func whatIsNoHeaderIsRefused(header: [UInt8]) {
        #expect(throws: OffloadWireError.self) { try RemoteFrame.length(header) }
    }

    static let strange: [(UInt8, [UInt8])] = [(2, [1]), (5, [0]), (6, []), (6, [99])]

    @Test(arguments: strange)
    func whatIsNoFrameIsRefused(kind: UInt8, body: [UInt8]) {
        #expect(throws: OffloadWireError.self) { try RemoteFrame(kind: kind, body: body) }
    }
}

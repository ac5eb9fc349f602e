import EscrowOffloadWire
import Glibc
import Testing

/// Frames between the host and `escrow-remote`: whole and in order, however the socket cuts them.
@Suite struct FrameSocketTests {
    private final class Ends {
        let one: FrameSocket
        let other: FrameSocket

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            one = FrameSocket(ends[0])
            other = FrameSocket(ends[1])
        }

        deinit {
            close(one.descriptor)
            close(other.descriptor)
        }
    }

    private func read(_ step: FrameReader.Step, from reader: inout FrameReader) throws {
        let found = reader.read()
        try #require(found == step)
    }

    static let frames: [RemoteFrame] =
        [.connect([1, 2]), .run, .describe, .message([]), .message([UInt8](repeating: 7, count: 70_000))]
        + [.close] + RemoteEnd.allCases.map(RemoteFrame.ended)

    @Test func whatIsSentIsReceived() throws {
        let ends = try Ends()
        for frame in Self.frames {
            try ends.one.send(frame)
            #expect(try ends.other.receive() == frame)
        }
        try ends.one.send(together: [.run, .message([1]), .message([2])])
        #expect(try ends.other.receive() == .run)
        #expect(try ends.other.receive() == .message([1]))
        #expect(try ends.other.receive() == .message([2]))
    }

    @Test(arguments: [1, 4, 5, 6, 4_096]) func framesThatComeInPiecesArePutTogether(size: Int) throws {
        let ends = try Ends()
        var reader = FrameReader(ends.other)
        let bytes = Self.frames.flatMap(\.encoded)
        var found: [RemoteFrame] = []
        for begin in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[begin..<min(begin + size, bytes.count)])
            #expect(write(ends.one.descriptor, piece, piece.count) == piece.count)
            try read(.some, from: &reader)
            while let frame = try reader.next() { found.append(frame) }
        }
        #expect(found == Self.frames)
        #expect(reader.waiting == 0)
        try read(.nothing, from: &reader)
        ends.one.shutDown()
        try read(.end, from: &reader)
    }

    @Test(
        arguments: [[9, 0, 0, 0, 0], [2, 0, 0, 0, 1, 0], [4, 255, 255, 255, 255], [6, 0, 0, 0, 1, 99]]
            as [[UInt8]])
    func whatIsNoFrameIsRefused(bytes: [UInt8]) throws {
        let ends = try Ends()
        var reader = FrameReader(ends.other)
        #expect(write(ends.one.descriptor, bytes, bytes.count) == bytes.count)
        try read(.some, from: &reader)
        #expect(throws: OffloadWireError.self) { try reader.next() }
    }

    /// Two that send and do not read wait for each other, unless one of them takes what comes.
    @Test func whoeverWaitsToSendMayTakeWhatComes() throws {
        let ends = try Ends()
        var reader = FrameReader(ends.one)
        let large = RemoteFrame.message([UInt8](repeating: 1, count: 4 << 20))
        let socket = ends.other
        var thread = pthread_t()
        let isStarted = pthread_create(
            &thread, nil,
            { argument in
                let socket = FrameSocket(Int32(Int(bitPattern: argument)))
                let large = RemoteFrame.message([UInt8](repeating: 2, count: 4 << 20))
                try? socket.send(large)
                _ = try? socket.receive()
                return nil
            }, UnsafeMutableRawPointer(bitPattern: Int(socket.descriptor)))
        try #require(isStarted == 0)
        try ends.one.send(
            large,
            waiting: {
                while case .some = reader.read() {}
                return true
            })
        while try reader.next() == nil { _ = reader.read() }
        pthread_join(thread, nil)
    }
}

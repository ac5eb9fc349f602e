import Glibc

/// Puts together what comes over a socket that is read as it comes, without ever waiting.
public struct FrameReader: Sendable {
    /// What reading once came to.
    public enum Step: Sendable {
        case some
        /// Nothing is there now.
        case nothing
        /// The other side closed, or is gone.
        case end
    }

    private static let pieceBytes = 1 << 16

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// Where the next frame begins.
    private var position = 0

    public init(_ socket: FrameSocket) { descriptor = socket.descriptor }

    /// Bytes that were read and belong to no frame that was taken.
    public var waiting: Int { buffer.count - position }

    /// Reads once. recv(2)
    public mutating func read() -> Step {
        if position > 0 {
            buffer.removeFirst(position)
            position = 0
        }
        while true {
            let count = withUnsafeTemporaryAllocation(byteCount: Self.pieceBytes, alignment: 16) { piece in
                let count = recv(descriptor, piece.baseAddress, piece.count, Int32(MSG_DONTWAIT))
                if count > 0 { buffer += piece[..<count] }
                return count
            }
            if count > 0 { return .some }
            if count < 0, errno == EINTR { continue }
            return count < 0 && errno == EAGAIN ? .nothing : .end
        }
    }

    /// The next frame, where all of it was read.
    public mutating func next() throws(OffloadWireError) -> RemoteFrame? {
        guard waiting >= RemoteFrame.headerBytes else { return nil }
        let count = try RemoteFrame.length(Array(buffer[position..<position + RemoteFrame.headerBytes]))
        let begin = position + RemoteFrame.headerBytes
        guard buffer.count - begin >= count else { return nil }
        position = begin + count
        return try RemoteFrame(
            kind: buffer[begin - RemoteFrame.headerBytes], body: Array(buffer[begin..<position]))
    }
}

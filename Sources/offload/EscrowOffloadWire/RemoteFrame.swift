/// What the host and `escrow-remote` tell each other over their socket: a kind, a length and bytes.
public enum RemoteFrame: Sendable, Equatable {
    /// To `escrow-remote`, first: whom to reach, and by which keys. `RemoteTarget`, as JSON.
    case connect([UInt8])
    /// Begins a run; what follows are its messages.
    case run
    /// Asks what the server is; answered by `message` and `ended`.
    case describe
    /// A message of the service's, as it is.
    case message([UInt8])
    /// No message comes any more.
    case close
    /// From `escrow-remote`: the call ended, and how.
    case ended(RemoteEnd)

    /// The length of what comes before the bytes.
    public static let headerBytes = 5
    public static let mostBytes = FromServer.mostBytes + 64

    private var kind: UInt8 {
        switch self {
        case .connect: 1
        case .run: 2
        case .describe: 3
        case .message: 4
        case .close: 5
        case .ended: 6
        }
    }

    /// The bytes that follow the header.
    public var body: [UInt8] {
        switch self {
        case .connect(let bytes), .message(let bytes): bytes
        case .ended(let end): [end.rawValue]
        case .run, .describe, .close: []
        }
    }

    /// What comes before the body.
    public var header: [UInt8] {
        let count = UInt32(truncatingIfNeeded: body.count)
        return [kind] + stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }
    }

    public var encoded: [UInt8] { header + body }

    /// How many bytes follow a header.
    public static func length(_ header: [UInt8]) throws(OffloadWireError) -> Int {
        guard header.count == headerBytes, 1...6 ~= header[0] else {
            throw OffloadWireError("an unknown frame")
        }
        let count = header[1...].reduce(0) { $0 << 8 | Int($1) }
        guard count <= mostBytes else { throw OffloadWireError("a frame that is too long") }
        return count
    }

    public init(kind: UInt8, body: [UInt8]) throws(OffloadWireError) {
        switch (kind, body.count) {
        case (1, _): self = .connect(body)
        case (2, 0): self = .run
        case (3, 0): self = .describe
        case (4, _): self = .message(body)
        case (5, 0): self = .close
        case (6, 1):
            guard let end = RemoteEnd(rawValue: body[0]) else {
                throw OffloadWireError("an unknown end of a call")
            }
            self = .ended(end)
        default: throw OffloadWireError("an unknown frame")
        }
    }
}

/// How a call of the service ended.
public enum RemoteEnd: UInt8, Sendable, CaseIterable {
    case complete = 0
    /// Nobody answers there.
    case unreachable = 1
    /// The server's certificate is of another authority, or damaged.
    case wrongAuthority = 2
    /// The server's certificate is not valid now, by this machine's clock.
    case expired = 3
    /// The authority vouches for it, but it is not the server that was named: another key.
    case wrongServer = 4
    /// The server refused this device's certificate.
    case deviceRefused = 5
    /// The connection broke in the course of the call.
    case lost = 6
    /// What came is none of the protocol's messages, or too long.
    case protocolBroken = 7
    /// The server said that it cannot.
    case failed = 8
    /// `escrow-remote` cannot shut itself in on this machine, and reached nobody.
    case wallMissing = 9
}

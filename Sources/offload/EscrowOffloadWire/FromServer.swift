/// What a server tells a device in the course of a run.
public enum FromServer: Sendable, Equatable {
    case begun(Begun)
    /// Of the plugin's stdout, and how much of its stdin it had read by then; no bytes at its end.
    case output([UInt8], consumed: Int)
    case ended(Ended)
    case refused(RemoteRefusal)

    /// The most bytes of one message.
    public static let mostBytes = 20 << 20

    /// What runs.
    public struct Begun: Sendable, Equatable {
        /// The server's name, as it says itself.
        public var server: String
        public var manifest: String
        /// The server's version.
        public var version: String
        public var launchMicroseconds: Int
        /// What it shows for what runs there; none where it was not asked to, or cannot.
        public var evidence: [UInt8]

        public init(
            server: String, manifest: String, version: String, launchMicroseconds: Int,
            evidence: [UInt8] = []
        ) {
            self.server = server
            self.manifest = manifest
            self.version = version
            self.launchMicroseconds = launchMicroseconds
            self.evidence = evidence
        }
    }

    public var encoded: [UInt8] {
        var part = ProtobufWriter()
        switch self {
        case .begun(let begun):
            part.text(1, begun.server)
            part.text(2, begun.manifest)
            part.text(3, begun.version)
            part.number(4, UInt64(begun.launchMicroseconds))
            if !begun.evidence.isEmpty { part.data(5, begun.evidence) }
            return FromDevice.message(1, part.bytes)
        case .output(let bytes, let consumed):
            part = ProtobufWriter(capacity: bytes.count + 24)
            if !bytes.isEmpty { part.data(1, bytes) }
            part.number(2, UInt64(consumed))
            return FromDevice.message(2, part.bytes)
        case .ended(let ended):
            ended.write(&part)
            return FromDevice.message(3, part.bytes)
        case .refused(let refusal):
            part.number(1, refusal.rawValue)
            return FromDevice.message(4, part.bytes)
        }
    }

    public init(_ bytes: [UInt8]) throws(OffloadWireError) {
        var reader = ProtobufReader(bytes[...])
        guard let next = try reader.peek(), let part = try reader.data(next.field, atMost: Self.mostBytes)
        else {
            throw OffloadWireError("a message without content")
        }
        try reader.finish()
        var inner = ProtobufReader(part)
        switch next.field {
        case 1:
            self = .begun(
                Begun(
                    server: try inner.text(1, atMost: 128), manifest: try inner.text(2, atMost: 64),
                    version: try inner.text(3, atMost: 64),
                    launchMicroseconds: try inner.count(4, atMost: 1 << 40),
                    evidence: try inner.bytes(5, atMost: 16_384)))
        case 2:
            let bytes = try inner.bytes(1, atMost: Self.mostBytes)
            self = .output(bytes, consumed: try inner.count(2, atMost: 1 << 50))
        case 3: self = .ended(try Ended(&inner))
        case 4:
            guard let refusal = RemoteRefusal(rawValue: try inner.number(1)) else {
                throw OffloadWireError("an unknown refusal")
            }
            self = .refused(refusal)
        default: throw OffloadWireError("an unknown message")
        }
        try inner.finish()
    }
}

/// Why a server runs nothing.
public enum RemoteRefusal: UInt64, Error, Sendable, CaseIterable {
    case unknownPlugin = 1
    case revokedPlugin = 2
    case anotherVersion = 3
    case untrustedPlugin = 4
    case busy = 5
    case unknownDevice = 6
    case limits = 7
    case walls = 8
    case protocolBroken = 9
    case rolledBack = 10
}

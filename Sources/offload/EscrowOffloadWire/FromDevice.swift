/// What a device tells a server in the course of a run.
public enum FromDevice: Sendable, Equatable {
    case begin(Begin)
    /// Bytes for the plugin's stdin.
    case input([UInt8])
    case closeInput
    /// Ends the plugin.
    case kill(RemoteKill)
    /// Waits for the plugin's end.
    case finish

    /// The most bytes of one message: larger inputs are cut into several.
    public static let mostBytes = 1 << 20

    public var encoded: [UInt8] {
        switch self {
        case .begin(let begin):
            var part = ProtobufWriter()
            begin.write(&part)
            return Self.message(1, part.bytes)
        case .input(let bytes): return Self.message(2, bytes)
        case .closeInput: return Self.message(3, [])
        case .kill(let reason):
            var part = ProtobufWriter()
            part.number(1, reason.rawValue)
            return Self.message(4, part.bytes)
        case .finish: return Self.message(5, [])
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
        case 1: self = .begin(try Begin(&inner))
        case 2:
            self = .input(Array(part))
            return
        case 3: self = .closeInput
        case 4:
            guard let reason = RemoteKill(rawValue: try inner.number(1)) else {
                throw OffloadWireError("an unknown reason")
            }
            self = .kill(reason)
        case 5: self = .finish
        default: throw OffloadWireError("an unknown message")
        }
        try inner.finish()
    }

    static func message(_ field: UInt8, _ part: [UInt8]) -> [UInt8] {
        var writer = ProtobufWriter(capacity: part.count + 8)
        writer.data(field, part)
        return writer.bytes
    }
}

/// Why a device ends a plugin.
public enum RemoteKill: UInt64, Sendable, CaseIterable {
    case protocolError = 1
    case cancelled = 2
    case lingered = 3
    case budget = 4
    case hostError = 5
    /// A limit that the device counts: rows, assets.
    case limit = 6
}

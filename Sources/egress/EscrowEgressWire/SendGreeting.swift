public import EscrowJSON

/// The host's first message to `escrow-egress`: the protocol's version, and how many bytes of certificates follow, in PEM:
/// the authorities that vouch for stand-ins, besides the system's.
public struct SendGreeting: Sendable, Equatable {
    public let roots: Int

    public static let longestLine = 1 << 10
    public static let mostBytes = 4 << 20

    public init(roots: Int) { self.roots = roots }

    public var line: JSONValue { ["egress": 1, "roots": .integer(Int64(roots))] }

    /// Reads a line. A program of another version is another program.
    public init(line: [UInt8]) throws(WireFault) {
        var members = try Members(line)
        _ = try members.integer("egress", in: 1...1)
        roots = try members.integer("roots", in: 0...Self.mostBytes)
        try members.finish()
    }
}

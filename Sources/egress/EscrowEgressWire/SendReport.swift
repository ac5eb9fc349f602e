public import EscrowEgress
public import EscrowJSON

/// What `escrow-egress` tells the host of an order: one line, then the bytes of the answer's body.
public enum SendReport: Sendable, Equatable {
    /// An answer within the limits. `isTyped`: its body is of the declared media type; `dropped`: names of headers that are kept
    /// from the plugin.
    case answer(status: Int, isTyped: Bool, bytes: Int, dropped: [String] = [])
    case failure(TransportFailure)

    public static let longestLine = 1 << 10

    public var line: JSONValue {
        switch self {
        case .answer(let status, let isTyped, let bytes, let dropped):
            [
                "status": .integer(Int64(status)), "typed": .bool(isTyped), "bytes": .integer(Int64(bytes)),
                "dropped": .array(dropped.map(JSONValue.string)),
            ]
        case .failure(let failure): ["failure": .string(failure.word)]
        }
    }

    /// Reads a line, and believes no more of it than the order's limits allow.
    public init(line: [UInt8], limits: ExchangeLimits) throws(WireFault) {
        var members = try Members(line)
        if members.has("failure") {
            let word = try members.string("failure")
            guard let failure = TransportFailure.allCases.first(where: { $0.word == word }) else {
                throw .wrong
            }
            self = .failure(failure)
        } else {
            let isTyped = try members.bool("typed")
            self = .answer(
                status: try members.integer("status", in: 200...999), isTyped: isTyped,
                bytes: try members.integer("bytes", in: 0...(isTyped ? limits.maxBytes : 0)),
                dropped: try Self.names(&members))
        }
        try members.finish()
    }

    private static func names(_ members: inout Members) throws(WireFault) -> [String] {
        let values = try members.array("dropped")
        let names = values.compactMap(\.string)
        guard names.count == values.count, names.count <= IncomingResponse.mostNames,
            names.allSatisfy({ name in
                (1...IncomingResponse.longestName).contains(name.utf8.count)
                    && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            })
        else { throw .wrong }
        return names
    }
}

extension TransportFailure {
    /// The name of the case: its sentence is for people and may be reworded.
    var word: String { String(describing: self) }
}

/// One request that a plugin may have the host send: a fixed template with typed fields.
///
/// The plugin never writes a URL, so there is none to smuggle anything in: method, host, path and the name of every
/// field are constants of the manifest.
public struct EgressEndpoint: Sendable, Hashable {
    /// The name by which the plugin asks for it.
    public let name: String
    /// What it is for, for people.
    public let why: String
    /// The HTTP method.
    public let method: Method
    /// Where it goes.
    public let template: EgressTemplate
    /// What the plugin fills in.
    public let fields: [EgressField]
    /// What may come back.
    public let response: EgressResponse
    /// The most calls a run.
    public let maxCalls: Int

    /// The HTTP methods that there are.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case post = "POST"
    }

    /// An upper bound of the bits that all calls of one run can carry in their fields.
    public var capacityBits: Double {
        Double(maxCalls) * fields.reduce(0) { $0 + $1.bounds.capacityBits }
            // How many calls are made, 0 to maxCalls, carries something as well.
            + Capacity.bits(choices: Double(maxCalls) + 1)
    }
}

/// A URL with places to fill in: `https://api.example.org/v1/mean-age/{region}`.
public struct EgressTemplate: Sendable, Hashable, CustomStringConvertible {
    /// The host name: constant, lower case, so that a DNS query carries nothing.
    public let host: String
    /// The segments of the path.
    public let path: [Segment]

    /// A segment of the path.
    public enum Segment: Sendable, Hashable {
        /// Text that stays as it is.
        case constant(String)
        /// A field, percent-encoded by the host.
        case field(String)
    }

    /// Reads a template: `https`, a DNS name without port or user, constant segments and whole-segment fields, no query
    /// (fields `in` the query make it) and no fragment. Nil for anything else.
    public init?(_ text: String) {
        guard text.utf8.count <= 1_024, text.hasPrefix("https://") else { return nil }
        let parts = text.dropFirst(8).split(separator: "/", omittingEmptySubsequences: false)
        guard let host = parts.first, Self.isHost(host) else { return nil }
        var path: [Segment] = []
        for (index, part) in parts.dropFirst().enumerated() {
            if part.isEmpty {
                // Only as the end of "/" or "/a/".
                guard index == parts.count - 2 else { return nil }
                path.append(.constant(""))
            } else if part.hasPrefix("{"), part.hasSuffix("}") {
                let name = String(part.dropFirst().dropLast())
                guard Spelling.isIdentifier(name) else { return nil }
                path.append(.field(name))
            } else {
                guard part != ".", part != "..",
                    part.utf8.allSatisfy({
                        Spelling.isLetter($0) || Spelling.isDigit($0) || "-._~".utf8.contains($0)
                    })
                else { return nil }
                path.append(.constant(String(part)))
            }
        }
        self.host = String(host)
        self.path = path
    }

    public var description: String {
        "https://" + host
            + path.map {
                switch $0 {
                case .constant(let text): "/" + text
                case .field(let name): "/{\(name)}"
                }
            }.joined()
    }

    /// A DNS name of two labels at least whose last begins with a letter: never an IP address.
    private static func isHost(_ text: Substring) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, labels.count >= 2, let top = labels.last?.first,
            Spelling.isLowercase(top)
        else {
            return false
        }
        return labels.allSatisfy { label in
            guard let first = label.first, let last = label.last, first != 0x2D, last != 0x2D else {
                return false
            }
            return label.count <= 63
                && label.allSatisfy { Spelling.isLowercase($0) || Spelling.isDigit($0) || $0 == 0x2D }
        }
    }
}

/// A place in a request that the plugin fills.
public struct EgressField: Sendable, Hashable {
    /// Its name; also that of the query item, header or JSON member.
    public let name: String
    /// Where it stands.
    public let location: Location
    /// What it may be.
    public let bounds: ScalarBounds
    /// For text: what characters it may have.
    public let pattern: Pattern?
    /// The columns that its value may come from, as `Table.column`; empty: none.
    public let derivedFrom: [String]

    /// Where a field stands.
    public enum Location: String, Sendable, Hashable, CaseIterable {
        case path
        case query
        case header
        case body
    }

    /// What characters a text may have: a closed list instead of regular expressions, which can be made to take for ever.
    public enum Pattern: String, Sendable, Hashable, CaseIterable {
        /// `0` to `9`.
        case digits
        /// ASCII letters.
        case letters
        /// ASCII letters and digits.
        case alphanumeric
        /// `0` to `9`, `a` to `f`.
        case hexadecimal
        /// `YYYY-MM-DD`.
        case date
    }
}

/// What may come back.
public struct EgressResponse: Sendable, Hashable {
    /// The media type; another one is refused.
    public let mediaType: String
    /// The most bytes of the body.
    public let maxBytes: Int
}

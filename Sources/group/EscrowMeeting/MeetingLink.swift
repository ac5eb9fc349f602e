/// What the QR code of an invitation says: where the owner waits, and the code.
public struct MeetingLink: Sendable, Equatable, CustomStringConvertible {
    private static let scheme = "escrow-group://"

    /// `ADDRESS:PORT`, an IPv4 address.
    public let place: String
    /// Eight digits.
    public let code: String

    public init(place: String, code: String) {
        self.place = place
        self.code = code
    }

    public var description: String { "\(Self.scheme)\(place)/\(code)" }

    /// Whether a text means to be one.
    public static func isLink(_ text: String) -> Bool { text.hasPrefix(scheme) }

    /// Reads what ``description`` wrote, and nothing else: whoever shows a code can write anything in it.
    public init?(_ text: String) {
        guard Self.isLink(text) else { return nil }
        let parts = text.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, NearSocket.address(String(parts[0])) != nil, parts[1].utf8.count == 8,
            Meeting.digits(of: String(parts[1])).count == 8
        else { return nil }
        self.init(place: String(parts[0]), code: String(parts[1]))
    }
}

import EscrowJSON

/// A random number that stands for the individual towards somebody, and that the individual can change. Scope, lifetime and
/// restore: docs/spec/identifiers.md.
public struct Identifier: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case application
        /// One for each publisher of plugins, known by its key, over all apps.
        case vendor
        /// One for all advertising on this device.
        case advertising
    }

    public let kind: Kind
    /// The app's id, or the publisher's key; nil for the advertising identifier.
    public let owner: String?
    /// A random UUID (version 4) in lower case.
    public let value: String

    /// 122 random bits as a UUID.
    static func randomValue() -> String {
        var bytes = RandomBytes.make(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Hex.string(bytes)
        var parts: [Substring] = []
        var rest = digits[...]
        for count in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return parts.joined(separator: "-")
    }

    /// Whether a text is a UUID as ``randomValue()`` writes it.
    static func isValue(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && parts.joined().utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

/// A URL with places to fill in: `https://api.example.org/v1/mean-age/{region}`.
public struct EgressTemplate: Sendable, Hashable, CustomStringConvertible {
    /// The host name: constant, lower case, so that a DNS query carries nothing.
    public let host: String
    /// The segments of the path.
    public let path: [Segment]
    /// How it is spoken to.
    public let scheme: Scheme

    /// How an endpoint is spoken to.
    public enum Scheme: String, Sendable, Hashable {
        /// HTTP/1.1 over TLS.
        case https
        /// Mail handed in over TLS: RFC 8314 section 3.3.
        case submissions
        /// Nothing leaves this machine: something is done on it.
        case device
    }

    /// What is done on this machine; nil for what is sent.
    public var effect: DeviceEffect? {
        scheme == .device ? DeviceEffect(rawValue: String(host.prefix { $0 != "." })) : nil
    }

    /// A segment of the path.
    public enum Segment: Sendable, Hashable {
        /// Text that stays as it is.
        case constant(String)
        /// A field, percent-encoded by the host.
        case field(String)
    }

    /// The rule that a text breaks, to be read after "it".
    public enum Problem: Error, Hashable {
        /// What is wrong with the name.
        case host(HostName.Problem)
        case tooLong
        case scheme
        case user
        case port
        case movable
        case query
        case fragment
        case emptyPart
        case dots
        case place
        case character

        /// In words, without a word of the text itself.
        public var words: String {
            switch self {
            case .host(let problem): problem.words
            case .tooLong: "is longer than 1024 bytes"
            case .scheme: "does not begin with https://, and is no submissions://HOST or device:EFFECT"
            case .user: "has a user or a password before the host"
            case .port: "has a port; requests go to 443"
            case .movable: "has a {field} in the host, so that data could choose where it goes"
            case .query: "has a query; fields \"in\": \"query\" make it"
            case .fragment: "has a fragment, which is never sent"
            case .emptyPart: "has an empty part in the path"
            case .dots: "has a part \".\" or \"..\", which climbs"
            case .place: "has a place that is not a whole part, {name}, of letters, digits and _"
            case .character: "has a sign other than letters, digits and -._~ in a constant part"
            }
        }
    }

    /// Reads a template: `https`, a DNS name without port or user, constant segments and whole-segment fields, no query
    /// (fields `in` the query make it) and no fragment.
    public init(_ text: String) throws(Problem) {
        guard text.utf8.count <= 1_024 else { throw .tooLong }
        if text.hasPrefix("device:") {
            guard let effect = DeviceEffect(rawValue: String(text.dropFirst(7))) else { throw .scheme }
            // Under a name that leads nowhere, as that of a server which the individual sets.
            (host, path, scheme) = (effect.rawValue + ".device.invalid", [], .device)
            return
        }
        let isMail = text.hasPrefix("submissions://")
        guard isMail || text.hasPrefix("https://") else { throw .scheme }
        let parts = text.dropFirst(isMail ? 14 : 8).split(separator: "/", omittingEmptySubsequences: false)
        let host = String(parts.first ?? "")
        try Self.checkAuthority(host)
        if Self.own(host) == nil {
            do throws(HostName.Problem) { try HostName.check(host) } catch { throw .host(error) }
        }
        guard !isMail || parts.count == 1 else { throw .emptyPart }
        scheme = isMail ? .submissions : .https
        self.host = host
        path = try Self.path(parts.dropFirst())
    }

    /// The path that a text names, which begins with `/`.
    public static func path(_ text: String) throws(Problem) -> [Segment] {
        guard text.hasPrefix("/"), text.utf8.count <= 1_024 else { throw .emptyPart }
        return try path(text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)[...])
    }

    private static func path(_ parts: ArraySlice<Substring>) throws(Problem) -> [Segment] {
        var path: [Segment] = []
        for (index, part) in parts.enumerated() {
            // Only the end of "/" or "/a/" is empty.
            guard !part.isEmpty || index == parts.count - 1 else { throw .emptyPart }
            path.append(try segment(part))
        }
        return path
    }

    /// The end of names that stand for a server which the individual sets. RFC 6761 promises that no name under `invalid` will
    /// ever lead anywhere, so where none is set, nothing can leave.
    public static let ownSuffix = ".own.invalid"

    /// `nextcloud` of `nextcloud.own.invalid`: a server of the individual's own, whose place they set; nil for other names.
    public var own: String? { Self.own(host) }

    private static func own(_ host: String) -> String? {
        guard host.hasSuffix(ownSuffix) else { return nil }
        let name = String(host.dropLast(ownSuffix.count))
        return Spelling.isLabel(name, upTo: 32) ? name : nil
    }

    /// What may stand around a host's name in a URL and must not here, each named.
    private static func checkAuthority(_ text: String) throws(Problem) {
        let bytes = text.utf8
        if bytes.contains(UInt8(ascii: "?")) { throw .query }
        if bytes.contains(UInt8(ascii: "#")) { throw .fragment }
        if bytes.contains(UInt8(ascii: "@")) { throw .user }
        if bytes.contains(UInt8(ascii: "{")) { throw .movable }
        if bytes.contains(UInt8(ascii: "[")) { throw .host(.address) }
        if bytes.contains(UInt8(ascii: ":")) { throw .port }
    }

    private static func segment(_ part: Substring) throws(Problem) -> Segment {
        if part.utf8.contains(where: { "{}".utf8.contains($0) }) {
            let name = String(part.dropFirst().dropLast())
            guard part.hasPrefix("{"), part.hasSuffix("}"), Spelling.isIdentifier(name) else { throw .place }
            return .field(name)
        }
        guard part != ".", part != ".." else { throw .dots }
        for byte in part.utf8
        where !(Spelling.isLetter(byte) || Spelling.isDigit(byte) || "-._~".utf8.contains(byte)) {
            switch byte {
            case UInt8(ascii: "?"): throw .query
            case UInt8(ascii: "#"): throw .fragment
            default: throw .character
            }
        }
        return .constant(String(part))
    }

    /// The template, and for a name with letters beyond ASCII also how it reads: what is looked up stands first.
    public var shown: String {
        if let effect { return effect.words }
        guard let own else { return description + HostName.reading(of: host) }
        return "to your own server \"\(own)\": \(shownPath)"
    }

    /// The host, and for a name with letters beyond ASCII also how it reads; a long one without its middle.
    public var shownHost: String {
        effect == nil
            ? own.map { "your own server \"\($0)\"" } ?? Brief.host(host) + HostName.reading(of: host)
            : "this device"
    }

    /// The URL for a list of changes: a long host and a long path without their middle.
    var brief: String {
        if effect != nil { return description }
        return "\(scheme.rawValue)://\(Brief.host(host))\(Brief.middle(shownPath, longest: 48))"
    }

    private var shownPath: String {
        path.map {
            switch $0 {
            case .constant(let text): "/" + text
            case .field(let name): "/{\(name)}"
            }
        }.joined()
    }

    public var description: String {
        if let effect { return "device:" + effect.rawValue }
        return "\(scheme.rawValue)://\(host)\(shownPath)"
    }
}

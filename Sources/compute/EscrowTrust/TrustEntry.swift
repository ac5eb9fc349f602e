public import EscrowDiagnostics
public import EscrowManifest

/// One line of a trust store: a key, and what it is trusted for.
///
///     org.example.*  valid-after=20260101Z,valid-before=20280101Z,types="plugin-manifest"  ed25519  MCow…  # Example Org
public struct TrustEntry: Sendable, Hashable {
    /// A plugin id, or whole labels followed by `.*`.
    public let pattern: String
    /// The key is not trusted before; nil: no such limit.
    public let validAfter: Moment?
    /// The key is not trusted from then on; nil: no such limit.
    public let validBefore: Moment?
    public let types: [PayloadType]
    /// How many distinct keys must have signed what the pattern covers.
    public let threshold: Int
    /// The id of the key that a row of rotations began with, where one brought this key in: the keys of a row are one signer.
    public let lineage: String?
    public let key: PublicKey
    /// The owner's own name for it; never the publisher's.
    public let name: String?

    /// Makes an entry; throws for a pattern, name or threshold that cannot be.
    public init(
        pattern: String, key: PublicKey, name: String? = nil, types: [PayloadType] = [.pluginManifest],
        validAfter: Moment? = nil, validBefore: Moment? = nil, threshold: Int = 1, lineage: String? = nil
    ) throws(Diagnostic) {
        guard PluginID.isPattern(pattern) else {
            throw Diagnostic(
                .trustStoreInvalid, "this is not a plugin id or a pattern",
                help: "write org.example.phone-check, or whole labels followed by a star: org.example.*")
        }
        if let name {
            guard !name.isEmpty, name.utf8.count <= 120, name.unicodeScalars.allSatisfy({ Self.isPlain($0) })
            else {
                throw Diagnostic(
                    .trustStoreInvalid, "the name of a signer must be 1 to 120 plain characters on one line")
            }
        }
        guard (1...16).contains(threshold), !types.isEmpty else {
            throw Diagnostic(
                .trustStoreInvalid,
                "a threshold is 1 to 16, and a key is trusted for one kind of document at least")
        }
        if let lineage, !KeyID.isSpelled(lineage) {
            throw Self.malformed("a lineage is the fingerprint of a key: SHA256: and 43 characters")
        }
        self.pattern = pattern
        self.lineage = lineage
        self.key = key
        self.name = name
        self.types = PayloadType.allCases.filter(types.contains)
        self.validAfter = validAfter
        self.validBefore = validBefore
        self.threshold = threshold
    }

    init(line: String) throws(Diagnostic) {
        var text = line[...]
        var name: String?
        if let hash = text.firstIndex(of: "#") {
            let comment = text[text.index(after: hash)...].drop { $0 == " " }
            name = comment.isEmpty ? nil : String(comment)
            text = text[..<hash]
        }
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard parts.count == 3 || parts.count == 4 else {
            throw Self.malformed("a line is: PATTERN [OPTIONS] ed25519 KEY [# NAME]")
        }
        guard parts[parts.count - 2] == "ed25519" else {
            throw Self.malformed("the only algorithm is ed25519")
        }
        var options = Options()
        if parts.count == 4 { try options.read(parts[1]) }
        try self.init(
            pattern: String(parts[0]), key: PublicKey(base64: String(parts[parts.count - 1])), name: name,
            types: options.types ?? [.pluginManifest], validAfter: options.after, validBefore: options.before,
            threshold: options.threshold ?? 1, lineage: options.lineage)
    }

    public var line: String {
        var options: [String] = []
        if let validAfter { options.append("valid-after=\(Self.day(validAfter))") }
        if let validBefore { options.append("valid-before=\(Self.day(validBefore))") }
        options.append("types=\"\(types.map(\.word).joined(separator: ","))\"")
        if threshold > 1 { options.append("threshold=\(threshold)") }
        if let lineage { options.append("lineage=\(lineage)") }
        return "\(pattern)  \(options.joined(separator: ","))  ed25519  \(key.base64)"
            + (name.map { "  # \($0)" } ?? "")
    }

    /// Whether the entry trusts its key for this kind of document about this id at this moment.
    public func covers(_ type: PayloadType, id: String, at now: Moment) -> Bool {
        covers(type, id: id) && isValid(at: now)
    }

    /// The same at whatever time.
    func covers(_ type: PayloadType, id: String) -> Bool {
        types.contains(type) && PluginID.matches(pattern: pattern, id)
    }

    public func isValid(at now: Moment) -> Bool {
        if let validAfter, now < validAfter { return false }
        if let validBefore, now >= validBefore { return false }
        return true
    }

    private struct Options {
        var after: Moment?
        var before: Moment?
        var types: [PayloadType]?
        var threshold: Int?
        var lineage: String?

        mutating func read(_ text: Substring) throws(Diagnostic) {
            var rest = text
            while !rest.isEmpty {
                guard let equals = rest.firstIndex(of: "=") else {
                    throw TrustEntry.malformed("an option is NAME=VALUE, and options are joined by commas")
                }
                let name = rest[..<equals]
                rest = rest[rest.index(after: equals)...]
                let value: Substring
                if rest.first == "\"" {
                    rest = rest.dropFirst()
                    guard let end = rest.firstIndex(of: "\"") else {
                        throw TrustEntry.malformed("a quote is not closed")
                    }
                    value = rest[..<end]
                    rest = rest[rest.index(after: end)...]
                } else {
                    value = rest.prefix { $0 != "," }
                    rest = rest[value.endIndex...]
                }
                try set(name, value)
                if rest.isEmpty { return }
                guard rest.first == ",", rest.count > 1 else {
                    throw TrustEntry.malformed("options are joined by single commas")
                }
                rest = rest.dropFirst()
            }
        }

        private mutating func set(_ name: Substring, _ value: Substring) throws(Diagnostic) {
            switch name {
            case "valid-after" where after == nil: after = try day(value)
            case "valid-before" where before == nil: before = try day(value)
            case "types" where types == nil:
                var found: [PayloadType] = []
                for word in value.split(separator: ",", omittingEmptySubsequences: false) {
                    guard let type = PayloadType.allCases.first(where: { $0.word == word }),
                        !found.contains(type)
                    else {
                        throw TrustEntry.malformed(
                            "types are of: " + PayloadType.allCases.map(\.word).joined(separator: ", "))
                    }
                    found.append(type)
                }
                types = found
            case "threshold" where threshold == nil:
                guard value.count <= 2, let number = Int(value), (1...16).contains(number) else {
                    throw TrustEntry.malformed("a threshold is 1 to 16")
                }
                threshold = number
            case "lineage" where lineage == nil: lineage = String(value)
            case "valid-after", "valid-before", "types", "threshold", "lineage":
                throw TrustEntry.malformed("an option stands twice")
            // An option that is not understood could be a restriction.
            default:
                throw TrustEntry.malformed(
                    "the options are valid-after, valid-before, types, threshold and lineage")
            }
        }

        private func day(_ text: Substring) throws(Diagnostic) -> Moment {
            guard text.hasSuffix("Z"), let moment = Moment(day: String(text.dropLast())) else {
                throw TrustEntry.malformed("a date is YYYYMMDDZ")
            }
            return moment
        }
    }

    private static func day(_ moment: Moment) -> String {
        String(moment.day.filter { $0 != "-" }) + "Z"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
            false
        default: true
        }
    }

    static func malformed(_ what: String) -> Diagnostic {
        Diagnostic(
            .trustStoreInvalid, what,
            help: "the format is that of docs/spec/envelope.md; `escrow trust add` writes such lines")
    }
}

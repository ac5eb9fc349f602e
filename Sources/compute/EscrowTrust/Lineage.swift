public import EscrowDiagnostics
internal import EscrowJSON
public import EscrowManifest

/// A publisher's statement that one key follows another, signed by both (as in APK signature scheme v3 and TUF roots).
///
///     {"schema":"escrow.key-lineage/1","from":"<SPKI>","to":"<SPKI>","ids":["org.example.*"],
///      "effective":"2027-01-01T00:00:00Z","oldKeyVerifiesUntil":"2027-06-01T00:00:00Z"}
public struct Lineage: Sendable, Hashable {
    /// The key that is known.
    public let from: PublicKey
    /// The key that follows.
    public let to: PublicKey
    /// For which ids or patterns.
    public let ids: [String]
    /// From when the new key counts.
    public let effective: Moment
    /// Until when the old key counts.
    public let oldKeyVerifiesUntil: Moment

    /// Makes a statement; throws for one that cannot be.
    public init(
        from: PublicKey, to: PublicKey, ids: [String], effective: Moment, oldKeyVerifiesUntil: Moment
    ) throws(Diagnostic) {
        guard from != to, (1...32).contains(ids.count), ids.allSatisfy(PluginID.isPattern),
            effective <= oldKeyVerifiesUntil
        else {
            throw Self.refusal("it must name two keys, 1 to 32 id patterns, and an end for the old key")
        }
        self.from = from
        self.to = to
        self.ids = ids
        self.effective = effective
        self.oldKeyVerifiesUntil = oldKeyVerifiesUntil
    }

    /// The envelope of the statement, signed by both keys.
    public func sign(old: SigningKey, new: SigningKey) throws(Diagnostic) -> Envelope {
        guard old.publicKey == from, new.publicKey == to else {
            throw Self.refusal("it must be signed by the two keys that it names")
        }
        let value: JSONValue = [
            "schema": .string(Self.schema), "from": .string(from.base64), "to": .string(to.base64),
            "ids": .array(ids.map(JSONValue.string)), "effective": .string(effective.description),
            "oldKeyVerifiesUntil": .string(oldKeyVerifiesUntil.description),
        ]
        return try Envelope.sign(JSONWriter.line(value), as: .keyLineage, with: [old, new])
    }

    /// Reads a statement from its envelope. The old key must be in the trust store, and both keys must have signed.
    public init(verifying envelope: Envelope, trust: TrustStore, file: String) throws(Diagnostic) {
        // The new key is unknown as yet: the payload names it, and nothing else is believed until both signatures hold.
        let known = trust.entries.map(\.key)
        let byOld: VerifiedPayload
        switch envelope.verify(as: .keyLineage, keys: known) {
        case .success(let payload): byOld = payload
        case .failure(let reason): throw reason.diagnostic(file)
        }
        let read = try Self.parse(byOld.bytes, file: file)
        guard byOld.keys.contains(read.from) else {
            throw Self.refusal("it is not signed by the key that it replaces")
        }
        switch envelope.verify(as: .keyLineage, keys: [read.to]) {
        case .success: self = read
        case .failure(let reason): throw reason.diagnostic("\(file), by its new key,")
        }
    }

    /// What each entry of the old key becomes. A lineage never widens: a new entry's pattern is the narrower of the
    /// entry's and the statement's. Nor does a key hand on what it has no more: one that is revoked names no successor, and
    /// entries that do not hold now stay as they are.
    func rotate(
        _ store: TrustStore, revocations: Revocations, now: Moment
    ) throws(Diagnostic) -> [(old: TrustEntry, new: [TrustEntry])] {
        for key in [from, to] where revocations.keys.contains(key.id.description) {
            throw Self.refusal(
                "\(key.id.short) is revoked",
                help: "trust the publisher's new key by itself: escrow trust add PATTERN KEY")
        }
        var changes: [(old: TrustEntry, new: [TrustEntry])] = []
        for entry in store.entries where entry.key == from && entry.isValid(at: now) {
            let patterns = ids.compactMap { Self.narrower($0, entry.pattern) }
            guard !patterns.isEmpty else { continue }
            let end = entry.validBefore.map { min($0, oldKeyVerifiesUntil) } ?? oldKeyVerifiesUntil
            var new = [
                try TrustEntry(
                    pattern: entry.pattern, key: from, name: entry.name, types: entry.types,
                    validAfter: entry.validAfter, validBefore: end, threshold: entry.threshold,
                    lineage: entry.lineage)
            ]
            for pattern in Set(patterns).sorted() {
                let start = entry.validAfter.map { max($0, effective) } ?? effective
                new.append(
                    try TrustEntry(
                        pattern: pattern, key: to, name: entry.name, types: entry.types, validAfter: start,
                        validBefore: entry.validBefore, threshold: entry.threshold,
                        lineage: entry.lineage ?? from.id.description))
            }
            changes.append((entry, new))
        }
        guard !changes.isEmpty else {
            throw Self.refusal("the key that it replaces is not trusted for any of its ids now")
        }
        return changes
    }

    private static func narrower(_ one: String, _ other: String) -> String? {
        if one == other || covers(other, one) { return one }
        return covers(one, other) ? other : nil
    }

    /// Whether all ids of a pattern are of another.
    static func covers(_ wide: String, _ narrow: String) -> Bool {
        guard wide.hasSuffix(".*") else { return wide == narrow }
        let stem = narrow.hasSuffix(".*") ? String(narrow.dropLast(2)) + ".x" : narrow
        return PluginID.matches(pattern: wide, stem)
    }

    private static let schema = "escrow.key-lineage/1"

    private static func parse(_ bytes: [UInt8], file: String) throws(Diagnostic) -> Lineage {
        let fields: Fields
        do { fields = try Fields(parsing: bytes) } catch {
            throw refusal("\(file): \(error.impersonalMessage)")
        }
        guard let effective = Moment(fields.effective), let until = Moment(fields.until) else {
            throw refusal("\(file): its dates are not in UTC")
        }
        return try Lineage(
            from: PublicKey(base64: fields.from), to: PublicKey(base64: fields.to), ids: fields.ids,
            effective: effective, oldKeyVerifiesUntil: until)
    }

    private struct Fields {
        let from: String, to: String, effective: String, until: String
        let ids: [String]

        init(parsing bytes: [UInt8]) throws(JSONError) {
            var object = try JSONObjectReader(
                JSONParser.parse(bytes, limits: .init(depth: 4, bytes: 16_384, values: 64)))
            try object.requireSchema(schema)
            from = try object.required("from").requireString()
            to = try object.required("to").requireString()
            ids = try object.required("ids").requireStrings()
            effective = try object.required("effective").requireString()
            until = try object.required("oldKeyVerifiesUntil").requireString()
            try object.finish()
        }
    }

    private static func refusal(
        _ what: String, help: String = "ask the publisher for a statement signed by both keys"
    ) -> Diagnostic {
        Diagnostic(.rotationRefused, "the key rotation is refused: \(what)", help: help)
    }
}

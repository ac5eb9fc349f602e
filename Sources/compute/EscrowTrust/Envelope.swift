public import EscrowDiagnostics
internal import EscrowJSON
internal import EscrowManifest

/// A signed document: exact bytes, what they are, and signatures over both (DSSE 1.0.2).
///
///     {"payloadType":"…","payload":"<base64>","signatures":[{"keyid":"SHA256:…","sig":"<base64>","key":"<base64>"}]}
///
/// A signature may carry the public key that made it, as packages do, so that an individual can be shown whom they would
/// trust. Nothing is verified by it: keys come from the trust store.
///
/// There is one spelling of an envelope, members in this order, compact, with one line end: a byte changed anywhere is a
/// changed envelope. The algorithm is Ed25519 and comes from the trust store, as does the key; `keyid` is only a hint.
public struct Envelope: Sendable, Hashable {
    public let payloadType: String
    public let payload: [UInt8]
    public let signatures: [Signature]

    public struct Signature: Sendable, Hashable {
        /// The id of the key that is said to have made it.
        public let keyID: String
        /// 64 bytes.
        public let bytes: [UInt8]
        /// The key that `keyID` names, where it came along.
        public let key: PublicKey?

        init(keyID: String, bytes: [UInt8], key: PublicKey? = nil) {
            self.keyID = keyID
            self.bytes = bytes
            self.key = key
        }
    }

    public static let maximumBytes = 1 << 20
    static let maximumSignatures = 16

    /// Signs a document; `carriesKeys` says whether each signature brings its key along.
    public static func sign(
        _ payload: [UInt8], as type: PayloadType, with keys: [SigningKey], carriesKeys: Bool = false
    ) throws(Diagnostic) -> Envelope {
        let message = preauthenticated(payload, type.rawValue)
        var signatures: [Signature] = []
        for key in keys {
            signatures.append(
                Signature(
                    keyID: key.publicKey.id.description, bytes: try key.signature(for: message),
                    key: carriesKeys ? key.publicKey : nil))
        }
        let envelope = Envelope(payloadType: type.rawValue, payload: payload, signatures: signatures)
        try envelope.checkIsReadable()
        return envelope
    }

    /// Base64 makes of a payload a third more: what no reader would take is not signed.
    private func checkIsReadable() throws(Diagnostic) {
        guard signatures.count <= Self.maximumSignatures, encoded.count <= Self.maximumBytes else {
            throw Diagnostic(
                .fileWouldNotBeReadable,
                "signed, this would have \(encoded.count) bytes and \(signatures.count) signatures; readers accept "
                    + "\(Self.maximumBytes) and \(Self.maximumSignatures)",
                notes: ["nothing was changed"], help: "make what is signed shorter")
        }
    }

    /// The same envelope with one signature more, and its key. Throws when the key has signed it already.
    func adding(_ key: SigningKey) throws(Diagnostic) -> Envelope {
        let id = key.publicKey.id.description
        guard !signatures.contains(where: { $0.keyID == id }) else {
            throw Diagnostic(
                .signedAlready, "this key has signed the package already", help: "sign with another key")
        }
        let signature = try key.signature(for: Self.preauthenticated(payload, payloadType))
        let envelope = Envelope(
            payloadType: payloadType, payload: payload,
            signatures: signatures + [Signature(keyID: id, bytes: signature, key: key.publicKey)])
        try envelope.checkIsReadable()
        return envelope
    }

    /// What is signed: `"DSSEv1" SP LEN(type) SP type SP LEN(body) SP body`, lengths in decimal bytes.
    public static func preauthenticated(_ payload: [UInt8], _ type: String) -> [UInt8] {
        Array("DSSEv1 \(type.utf8.count) \(type) \(payload.count) ".utf8) + payload
    }

    public var encoded: [UInt8] {
        var output = Array("{\"payloadType\":".utf8)
        JSONWriter.append(utf8: payloadType.utf8, to: &output)
        output += Array(",\"payload\":\"\(Base64.encode(payload))\",\"signatures\":[".utf8)
        for (index, signature) in signatures.enumerated() {
            output += Array((index > 0 ? "," : "").utf8) + Array("{\"keyid\":".utf8)
            JSONWriter.append(utf8: signature.keyID.utf8, to: &output)
            output += Array(",\"sig\":\"\(Base64.encode(signature.bytes))\"".utf8)
            if let key = signature.key { output += Array(",\"key\":\"\(key.base64)\"".utf8) }
            output.append(UInt8(ascii: "}"))
        }
        return output + Array("]}\n".utf8)
    }

    /// Reads a file; nothing in it is believed yet. Throws for anything but the one spelling.
    public init(parsing bytes: [UInt8], file: String) throws(Diagnostic) {
        do { try self.init(reading: bytes) } catch {
            throw Self.malformed(
                file, "it is not one: \(error.impersonalMessage)",
                .init(file: file, line: error.position.line, column: error.position.column))
        }
        guard encoded == bytes else {
            throw Self.malformed(file, "it is not spelled as envelopes are, byte for byte", .init(file: file))
        }
    }

    private init(reading bytes: [UInt8]) throws(JSONError) {
        let root = try JSONParser.parse(bytes, limits: .init(depth: 4, bytes: Self.maximumBytes, values: 128))
        var object = try JSONObjectReader(root)
        payloadType = try object.required("payloadType").requireString()
        let payload = try object.required("payload").requireString()
        let items = try object.required("signatures").requireArray()
        try object.finish()
        var signatures: [Signature] = []
        for item in items {
            var signature = try JSONObjectReader(item)
            let keyID = try signature.required("keyid").requireString()
            let text = try signature.required("sig").requireString()
            let key = try Self.key(signature.optional("key"), of: keyID)
            try signature.finish()
            guard let bytes = Base64.decode(text), bytes.count == 64 else {
                throw JSONError(.wrongType(expected: "64 bytes in base64"), at: item.position)
            }
            signatures.append(Signature(keyID: keyID, bytes: bytes, key: key))
        }
        guard let decoded = Base64.decode(payload) else {
            throw JSONError(.wrongType(expected: "a payload in base64"), at: root.position)
        }
        guard signatures.count <= Self.maximumSignatures else {
            throw JSONError(.tooLarge, at: root.position)
        }
        self.payload = decoded
        self.signatures = signatures
    }

    /// The key that came along, which must be the one that is named.
    private static func key(_ node: JSONNode?, of keyID: String) throws(JSONError) -> PublicKey? {
        guard let node else { return nil }
        guard let key = try? PublicKey(base64: try node.requireString()), key.id.description == keyID else {
            throw JSONError(.wrongType(expected: "the public key that \"keyid\" names"), at: node.position)
        }
        return key
    }

    init(payloadType: String, payload: [UInt8], signatures: [Signature]) {
        self.payloadType = payloadType
        self.payload = payload
        self.signatures = signatures
    }

    private static func malformed(_ file: String, _ what: String, _ place: Diagnostic.Place) -> Diagnostic {
        Diagnostic(
            .envelopeDamaged, "\(file) was damaged or is no envelope: \(what)", at: place,
            help: "fetch the package again; docs/spec/envelope.md tells what an envelope looks like")
    }
}

/// What a signed payload is: part of what is signed, and compared by equality with one of these constants, so that a
/// signature for one purpose never counts for another.
public enum PayloadType: String, Sendable, Hashable, CaseIterable {
    case pluginManifest = "application/vnd.escrow.plugin-manifest.v1+json"
    case grant = "application/vnd.escrow.grant.v1+json"
    case keyLineage = "application/vnd.escrow.key-lineage.v1+json"
    case revocations = "application/vnd.escrow.revocations.v1+json"
    case restriction = "application/vnd.escrow.restriction.v1+json"

    /// The short word that a trust store uses.
    public var word: String {
        switch self {
        case .pluginManifest: "plugin-manifest"
        case .grant: "grant"
        case .keyLineage: "key-lineage"
        case .revocations: "revocations"
        case .restriction: "restriction"
        }
    }
}

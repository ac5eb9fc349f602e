import EscrowDiagnostics

/// What a request carries after its head.
public enum EgressBody: Sendable, Hashable {
    /// The fields `in` the body as one JSON value.
    case json
    /// The fields `in` the body as `application/x-www-form-urlencoded`.
    case form
    /// A file of the individual's as it is.
    case asset(EgressAsset)
    /// The fields `in` the body, then a file of the individual's in the part of that name: `multipart/form-data`, RFC 7578.
    case multipart(EgressAsset, part: String)

    /// The file that goes along; nil where none does.
    public var asset: EgressAsset? {
        switch self {
        case .json, .form: nil
        case .asset(let asset), .multipart(let asset, _): asset
        }
    }

    /// How a manifest names it.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case json, form, asset, multipart
    }

    /// In two or three words.
    var words: String {
        switch self {
        case .json: "JSON"
        case .form: "a form"
        case .asset(let asset): asset.words
        case .multipart(let asset, _): "a form with \(asset.words)"
        }
    }
}

/// A file of the individual's that a request carries. The plugin names a handle out of its rows; the host reads the file and
/// sends it, piece by piece.
public struct EgressAsset: Sendable, Hashable {
    /// What kinds of file may go.
    public let mediaTypes: [String]
    /// The most bytes of one.
    public let maxBytes: Int

    /// The largest that a manifest may allow.
    static let most: Int64 = 4 << 30

    /// A file of n bytes at most is not quite 8n + 1 bits, since its length says something too.
    public var capacityBits: Double { Double(maxBytes) * 8 + 1 }

    /// What it is, for the question.
    public var words: String {
        let size =
            maxBytes >= 1 << 20
            ? "\((maxBytes + 1_048_575) >> 20) MiB"
            : maxBytes >= 1 << 10 ? "\((maxBytes + 1_023) >> 10) KiB" : "\(maxBytes) bytes"
        return "a file of yours (\(mediaTypes.joined(separator: ", "))), whole, of up to \(size)"
    }
}

extension EgressBody {
    init(_ reader: consuming ManifestReader) throws(Diagnostic) {
        let kind: Kind = try reader.word("kind")
        switch kind {
        case .json: self = .json
        case .form: self = .form
        case .asset: self = .asset(try EgressAsset(&reader))
        case .multipart:
            let node = try reader.required("part")
            let part = try reader.string(node, path: reader.path(of: "part"))
            guard Spelling.isIdentifier(part) else {
                throw reader.failure(
                    .notAName, "\"\(reader.path(of: "part"))\" is no name for a part of a form", at: node)
            }
            self = .multipart(try EgressAsset(&reader), part: part)
        }
        try reader.finish()
    }
}

extension EgressAsset {
    fileprivate init(_ reader: inout ManifestReader) throws(Diagnostic) {
        let node = try reader.required("mediaTypes")
        let path = reader.path(of: "mediaTypes")
        var types: [String] = []
        for (index, item) in try reader.list(node, path: path, maximum: 32).enumerated() {
            types.append(try reader.mediaType(item, path: "\(path)[\(index)]"))
        }
        guard !types.isEmpty else {
            throw reader.failure(.membersContradict, "\"\(path)\" names no kind of file", at: node)
        }
        try reader.checkUnique(types, path: path, at: node)
        mediaTypes = types
        maxBytes = Int(try reader.integer("maxBytes", in: 1...Self.most))
    }
}

extension EgressEndpoint {
    /// A method that carries a body has one that fits it; a file leaves alone.
    func checkBody(_ reader: borrowing ManifestReader, isNamed: Bool) throws(Diagnostic) {
        func contradiction(_ words: String) -> Diagnostic {
            reader.failure(.membersContradict, "\"\(reader.path)\" \(words)", at: reader.position)
        }
        let inBody = fields.filter { $0.location == .body }
        guard method.hasBody || (inBody.isEmpty && !isNamed) else {
            throw contradiction("is sent by \(method.rawValue), which has no body")
        }
        switch body {
        case .json: try BodyPath.check(inBody, reader)
        case .form, .multipart:
            guard inBody.allSatisfy({ $0.most == nil && Spelling.isIdentifier($0.wireName) }) else {
                throw contradiction("is a form, which has neither lists nor members within members")
            }
        case .asset:
            guard inBody.isEmpty else {
                throw contradiction("sends a file alone, so no field stands in its body")
            }
        }
        guard body.asset == nil || (!isTogether && place == nil) else {
            throw contradiction("sends a file, so it tells no \"place\" and does not leave \"together\"")
        }
    }
}

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
    /// Bytes that the plugin made, of one of these kinds: a picture made smaller.
    case made(EgressAsset)

    /// The file that goes along; nil where none does.
    public var asset: EgressAsset? {
        switch self {
        case .json, .form: nil
        case .asset(let asset), .multipart(let asset, _), .made(let asset): asset
        }
    }

    /// Whether the plugin makes it, and does not name a file of the individual's.
    public var isMade: Bool { if case .made = self { true } else { false } }

    /// How a manifest names it.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case json, form, asset, multipart, made
    }

    /// In two or three words.
    var words: String {
        switch self {
        case .json: "JSON"
        case .form: "a form"
        case .asset(let asset): asset.words
        case .multipart(let asset, _): "a form with \(asset.words)"
        case .made(let asset): asset.madeWords
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

    /// How many bits it can carry. There are 2⁸ⁿ files of n bytes, and fewer shorter ones than that, so n bytes at most carry less
    /// than 8n + 1 bits.
    public var capacityBits: Double { Double(maxBytes) * 8 + 1 }

    /// What it is, for the question.
    public var words: String {
        "a file of yours (\(Brief.list(mediaTypes, most: 6, "kind"))), whole or in parts, up to \(size) of it a call"
    }

    /// The same of one that the plugin makes.
    public var madeWords: String {
        "what the plugin makes of your data (\(Brief.list(mediaTypes, most: 6, "kind"))), of up to \(size)"
    }

    /// The most that a plugin may make: it is held whole until it is sent.
    static let mostMade: Int64 = 16 << 20

    private var size: String {
        maxBytes >= 1 << 20
            ? "\((maxBytes + 1_048_575) >> 20) MiB"
            : maxBytes >= 1 << 10 ? "\((maxBytes + 1_023) >> 10) KiB" : "\(maxBytes) bytes"
    }
}

extension EgressBody {
    init(_ reader: consuming ManifestReader) throws(Diagnostic) {
        let kind: Kind = try reader.word("kind")
        switch kind {
        case .json: self = .json
        case .form: self = .form
        case .asset: self = .asset(try EgressAsset(&reader))
        case .made: self = .made(try EgressAsset(&reader, most: EgressAsset.mostMade))
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
    fileprivate init(_ reader: inout ManifestReader, most: Int64 = most) throws(Diagnostic) {
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
        maxBytes = Int(try reader.integer("maxBytes", in: 1...most))
    }
}

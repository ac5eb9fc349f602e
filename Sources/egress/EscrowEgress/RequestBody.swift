import EscrowJSON
import EscrowManifest

/// A file that a request carries, read from its beginning while it is sent.
public protocol RequestFile: AnyObject {
    /// How many bytes it has.
    var size: Int { get }
    /// Its media type, by its own first bytes.
    var mediaType: String { get }
    /// Whether the plugin made it, and it is no file of the individual's.
    var isMade: Bool { get }
    /// The next bytes, at most so many; empty at the end, nil where it cannot be read.
    func read(_ count: Int) -> [UInt8]?
}

extension RequestFile {
    public var isMade: Bool { false }
}

/// The body of a request: what is made of its fields, and the file between that and the end.
struct RequestBody {
    let mediaType: String
    let bytes: [UInt8]
    let payload: OutgoingRequest.Payload?

    var count: Int { bytes.count + (payload.map { $0.size + $0.tail.count } ?? 0) }

    /// Nil for a method without a body.
    init?(_ endpoint: EgressEndpoint, _ values: [FieldValue], _ file: (any RequestFile)?) {
        guard endpoint.method.hasBody else { return nil }
        let fields = values.inBody
        switch endpoint.body {
        case .json:
            mediaType = "application/json"
            bytes = JSONWriter.line(NestedBody.value(fields))
            payload = nil
        case .form:
            mediaType = "application/x-www-form-urlencoded"
            bytes = Array(
                fields.map {
                    PercentEncoding.encode($0.field.wireName) + "=" + PercentEncoding.encode($0.text)
                }.joined(separator: "&").utf8)
            payload = nil
        case .asset, .made:
            guard let file else { return nil }
            mediaType = file.mediaType
            bytes = []
            payload = .init(size: file.size, mediaType: file.mediaType)
        case .multipart(_, let part):
            guard let file else { return nil }
            // A constant: one that is drawn would be a value that nobody counts. A field has no line ends, so it ends no part.
            let boundary = Self.boundary
            mediaType = "multipart/form-data; boundary=\(boundary)"
            var text = ""
            for value in fields {
                text +=
                    "--\(boundary)\r\ncontent-disposition: form-data; name=\"\(value.field.wireName)\"\r\n\r\n"
                text += value.text + "\r\n"
            }
            // The file's own name may say anything, so it has another.
            text += "--\(boundary)\r\ncontent-disposition: form-data; name=\"\(part)\"; filename=\"file\"\r\n"
            text += "content-type: \(file.mediaType)\r\n\r\n"
            bytes = Array(text.utf8)
            payload = .init(
                size: file.size, mediaType: file.mediaType, tail: Array("\r\n--\(boundary)--\r\n".utf8))
        }
    }

    static let boundary = "escrow-7d0cf7b4a3f84f5e9a2b61c3"
}

/// Fields as one JSON value, each where its path says.
enum NestedBody {
    /// Whether lists that stand side by side are as long as each other.
    static func fits(_ fields: [FieldValue]) -> Bool {
        var lengths: [String: Int] = [:]
        for field in fields where field.field.isSpread {
            let stem = BodyPath.parts(field.field.wireName).prefix { $0 != "*" }.joined(separator: ".")
            let count = field.json.array?.count ?? 0
            guard lengths[stem] ?? count == count else { return false }
            lengths[stem] = count
        }
        return true
    }

    static func value(_ fields: [FieldValue]) -> JSONValue {
        value(fields.map { (BodyPath.parts($0.field.wireName)[...], $0.json) })
    }

    private static func value(_ items: [(path: ArraySlice<String>, value: JSONValue)]) -> JSONValue {
        guard let first = items.first else { return .object([]) }
        guard let head = first.path.first else { return first.value }
        if head == "*" {
            let count = first.value.array?.count ?? 0
            return .array(
                (0..<count).map { place in
                    value(items.map { ($0.path.dropFirst(), $0.value.array?[place] ?? .null) })
                })
        }
        var members: [(name: String, value: JSONValue)] = []
        for item in items {
            guard let name = item.path.first, !members.contains(where: { $0.name == name }) else { continue }
            let inside = items.filter { $0.path.first == name }.map { ($0.path.dropFirst(), $0.value) }
            members.append((name, value(inside)))
        }
        return head.utf8.first.map { (0x30...0x39).contains($0) } == true
            ? .array(members.map(\.value)) : .object(members)
    }
}

extension [FieldValue] {
    var inBody: [FieldValue] { filter { $0.field.location == .body } }
}

import EscrowJSON

/// The protocol between an app and an escrow host: one JSON object a line, over `escrow host --stdio`.
///
/// The numbers are those of docs/spec/app-protocol.md.
public enum AppWire {
    /// The version that a host greets with.
    public static let version: Int64 = 1
    /// The longest line of an app, in bytes, without its line feed.
    public static let requestCap = 256 << 10
    /// The longest line of a host, in bytes, without its line feed.
    public static let answerCap = 32 << 20
    /// Requests that may be open at once.
    public static let openCap = 64
    /// The longest name, in bytes.
    public static let nameCap = 255
    /// Bindings, or arguments, in one request.
    public static let valueCap = 256

    /// Reads one line as an object.
    static func object(_ line: [UInt8], cap: Int) throws(AppWireError) -> [JSONNode.Member] {
        guard line.count <= cap else { throw AppWireError(.lineTooLong) }
        // A value takes two bytes of text at least; what it takes in memory is far more, so that it is counted.
        let limits = JSONParser.Limits(depth: 64, bytes: cap, values: min(cap / 2, 4_000_000))
        let node: JSONNode
        do throws(JSONError) {
            node = try JSONParser.parse(line, limits: limits)
        } catch {
            throw AppWireError(.notJSON)
        }
        guard case .object(let members) = node.content else { throw AppWireError(.wrongShape) }
        return members
    }

    /// A line's id: needed before anything else, so that an error can be an answer.
    static func id(_ value: JSONNode?) throws(AppWireError) -> Int64 {
        guard let value else { throw AppWireError(.wrongShape, member: "id") }
        guard case .integer(let id) = value.content, id > 0 else { throw AppWireError(.badID, member: "id") }
        return id
    }

    /// One value as a line with its line feed.
    static func line(_ value: JSONValue, cap: Int) throws(AppWireError) -> [UInt8] {
        var line = JSONWriter.line(value)
        guard line.count <= cap else { throw AppWireError(.lineTooLong) }
        line.append(0x0A)
        return line
    }
}

/// The members of one object, asked for by name; whatever nobody asked for is refused.
struct MemberReader {
    private var members: [JSONNode.Member]

    init(_ members: [JSONNode.Member]) { self.members = members }

    init(_ node: JSONNode, member: String) throws(AppWireError) {
        guard case .object(let members) = node.content else {
            throw AppWireError(.wrongShape, member: member)
        }
        self.members = members
    }

    mutating func take(_ name: String) -> JSONNode? {
        guard let index = members.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            return nil
        }
        return members.remove(at: index).value
    }

    mutating func string(_ name: String) throws(AppWireError) -> String? {
        guard let node = take(name) else { return nil }
        guard case .string(let text) = node.content else { throw AppWireError(.wrongShape, member: name) }
        return text
    }

    mutating func requiredString(_ name: String) throws(AppWireError) -> String {
        guard let text = try string(name) else { throw AppWireError(.wrongShape, member: name) }
        return text
    }

    func finish() throws(AppWireError) {
        guard members.isEmpty else { throw AppWireError(.wrongShape) }
    }
}

public import EscrowAttestation
public import EscrowDiagnostics
public import EscrowJSON
public import EscrowOffloadWire

/// A server that the individual named, and what is needed to reach it. It holds a key: its file is the owner's alone.
public struct EscrowServer: Sendable, Equatable {
    /// What the individual calls it; part of what grants and rules name.
    public var id: String
    public var target: RemoteTarget
    /// Which plugins it may be given: ids, or whole labels and a star.
    public var plugins: [String]
    /// What it must prove before it is given anything; nil: the individual goes by its key alone.
    public var attestation: Requirement?

    public init(id: String, target: RemoteTarget, plugins: [String], attestation: Requirement? = nil) {
        self.id = id
        self.target = target
        self.plugins = plugins
        self.attestation = attestation
    }

    /// Its name as a place: with what it must prove, so that what was allowed there holds for that software alone.
    public var placeName: String { attestation.map { "\(id)@\($0.name)" } ?? id }

    /// Labels of a-z, 0-9 and '-'.
    public static func isID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 63 && text != "device" && text != "auto"
            && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
    }

    /// Whether the individual lets it run this plugin.
    public func mayRun(_ plugin: String) -> Bool {
        plugins.contains { pattern in
            guard pattern.hasSuffix("*") else { return pattern == plugin }
            return plugin.hasPrefix(pattern.dropLast())
        }
    }

    public var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("escrowServer", 1), ("id", .string(id)), ("plugins", .array(plugins.map(JSONValue.string))),
        ]
        members += target.json.members ?? []
        if let attestation { members.append(("attestation", attestation.json)) }
        return .object(members)
    }

    /// Reads what `escrow-server enrol` wrote, or what was kept of it.
    public init(parsing bytes: [UInt8], file: String) throws(Diagnostic) {
        do throws(JSONError) {
            var object = try JSONObjectReader(try JSONParser.parse(bytes))
            let version = try object.required("escrowServer")
            guard try version.requireInteger() == 1 else {
                throw JSONError(.wrongType(expected: "the number 1"), at: version.position)
            }
            let id = try object.required("id")
            self.id = try id.requireString()
            guard Self.isID(self.id) else {
                throw JSONError(.wrongType(expected: "a name of a-z, 0-9 and '-'"), at: id.position)
            }
            plugins = try object.optional("plugins")?.requireStrings() ?? ["*"]
            target = try RemoteTarget(&object)
            attestation = try object.optional("attestation").map { (node) throws(JSONError) in
                try Requirement(node)
            }
            try object.finish()
        } catch {
            throw Diagnostic(
                .serverFileUnfit, "\(file) is not what `escrow-server enrol` writes: \(error.message)",
                at: .init(file: file, line: error.position.line, column: error.position.column),
                help: "let the server's owner run `escrow-server enrol` again")
        }
    }
}

extension EscrowServer {
    /// As a file.
    public var document: [UInt8] { JSONWriter.document(json) }
}

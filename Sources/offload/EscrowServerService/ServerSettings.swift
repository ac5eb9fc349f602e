public import EscrowDiagnostics
public import EscrowJSON

/// What a server's owner set.
public struct ServerSettings: Sendable, Equatable {
    public var name: String
    /// Where devices reach it.
    public var host: String
    public var port: Int
    /// Where it listens; the port is the same.
    public var address: String
    /// libpq's words for a shared registry; nil for a file of its own.
    public var registry: String?
    /// The most runs at once.
    public var runs: Int
    /// The most memory of a run, in MiB.
    public var memoryMiB: Int

    public init(
        name: String, host: String, port: Int, address: String, registry: String? = nil, runs: Int = 16,
        memoryMiB: Int = 4096
    ) {
        self.name = name
        self.host = host
        self.port = port
        self.address = address
        self.registry = registry
        self.runs = runs
        self.memoryMiB = memoryMiB
    }

    var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("escrowServer", 1), ("name", .string(name)), ("host", .string(host)),
            ("port", .integer(Int64(port))),
            ("address", .string(address)), ("runs", .integer(Int64(runs))),
            ("memoryMiB", .integer(Int64(memoryMiB))),
        ]
        if let registry { members.append(("registry", .string(registry))) }
        return .object(members)
    }

    init(parsing bytes: [UInt8], file: String) throws(Diagnostic) {
        do throws(JSONError) {
            var object = try JSONObjectReader(try JSONParser.parse(bytes))
            _ = try object.required("escrowServer").requireInteger()
            name = try object.required("name").requireString()
            host = try object.required("host").requireString()
            port = try Self.number(try object.required("port"), 0...65_535)
            address = try object.required("address").requireString()
            runs = try Self.number(try object.required("runs"), 1...10_000)
            memoryMiB = try Self.number(try object.required("memoryMiB"), 1...65_536)
            registry = try object.optional("registry")?.requireString()
            try object.finish()
        } catch {
            throw Diagnostic(
                .serverHomeUnfit, "\(file) is not a server's: \(error.message)",
                at: .init(file: file, line: error.position.line, column: error.position.column))
        }
    }

    private static func number(_ node: JSONNode, _ range: ClosedRange<Int>) throws(JSONError) -> Int {
        guard let value = Int(exactly: try node.requireInteger()), range.contains(value) else {
            throw JSONError(
                .wrongType(expected: "a number of \(range.lowerBound) to \(range.upperBound)"),
                at: node.position)
        }
        return value
    }
}

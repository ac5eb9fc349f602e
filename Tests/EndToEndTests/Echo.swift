import Foundation
import Testing

/// The plugin that returns what it sees, in a version that a test writes.
struct Echo {
    static let folder = Escrow.root.appending(path: "Tests/EndToEndTests/Echo")
    let escrow: Escrow

    /// An escrow with the sample tracks and contacts, and a publisher's key.
    init() throws { escrow = try Escrow(copying: try Self.first.get()) }

    /// The same as another stands now.
    init(copying other: Echo) throws { escrow = try Escrow(copying: other.escrow) }

    private static let first = Result { () throws -> Escrow in
        let escrow = try Escrow(trusting: false)
        for (kind, path) in [("location", "samples/tracks"), ("contacts", "samples/contacts.vcf")] {
            let added = try escrow.run("source", "add", kind, Escrow.root.appending(path: path).path)
            try #require(added.status == 0, "\(added.words)")
        }
        try addPublisher("tester", to: escrow)
        return escrow
    }

    /// Makes a key and trusts it.
    func addPublisher(_ name: String) throws { try Self.addPublisher(name, to: escrow) }

    private static func addPublisher(_ name: String, to escrow: Escrow) throws {
        try #require(try escrow.run("key", "new", name).status == 0)
        let keys = try #require(
            try escrow.run("key", "list", "--format", "json").json()["keys"] as? [[String: Any]])
        let key = try #require(keys.first { $0["name"] as? String == name }?["publicKey"] as? String)
        try #require(try escrow.run("trust", "add", "org.escrow.tests.*", key).status == 0)
    }

    /// Packs and installs the plugin with passages of its manifest replaced.
    func install(
        _ passages: [(String, String)] = [], key: String = "tester", name: String = "echo"
    ) throws -> Escrow.Outcome {
        let source = escrow.folder.appending(path: "plugin-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: Self.folder, to: source)
        let file = source.appending(path: "plugin.json")
        var text = try String(contentsOf: file, encoding: .utf8)
        for (passage, replacement) in passages + [("org.escrow.tests.echo", "org.escrow.tests.\(name)")] {
            try #require(text.contains(passage), "\(passage)")
            text = text.replacing(passage, with: replacement)
        }
        try Data(text.utf8).write(to: file)
        let package = source.path + ".escrow"
        let packed = try escrow.run("plugin", "pack", source.path, "--key", key, "--output", package)
        guard packed.status == 0 else { return packed }
        return try escrow.run("plugin", "install", package, "--yes")
    }

    func allow(_ app: String, _ name: String = "echo", _ more: [String] = []) throws {
        let outcome = try Escrow.start(
            ["grant", "allow", "--app", app, "--plugin", name] + more, home: escrow.home)
        try #require(outcome.status == 0, "\(outcome.words)")
    }

    /// What the plugin saw.
    struct Sight: Decodable {
        struct Hello: Decodable {
            let run: String
            let params: [String: String]
        }
        struct Machine: Decodable {
            let uname: [String]
            let environment: [String: String]
            let arguments: [String]
            let folder: String
        }
        enum Cell: Decodable, Hashable {
            case number(Double), text(String), null
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() {
                    self = .null
                } else if let number = try? container.decode(Double.self) {
                    self = .number(number)
                } else {
                    self = .text(try container.decode(String.self))
                }
            }
        }
        let hello: Hello
        let rows: [[Cell]]
        let machine: Machine
    }

    func run(_ app: String, _ name: String = "echo", _ more: [String] = []) throws -> Escrow.Outcome {
        try Escrow.start(["run", name, "--app", app, "--format", "json"] + more, home: escrow.home)
    }

    func see(_ app: String, _ name: String = "echo", _ more: [String] = []) throws -> Sight {
        let outcome = try run(app, name, more)
        try #require(outcome.status == 0, "\(outcome.words)")
        let text = try JSONDecoder().decode(String.self, from: Data(outcome.output.utf8))
        return try JSONDecoder().decode(Sight.self, from: Data(text.utf8))
    }
}

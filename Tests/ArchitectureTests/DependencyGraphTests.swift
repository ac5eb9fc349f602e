import Foundation
import Testing

/// Reads the package's own dependency graph and the table in `docs/architecture.md`: an arrow that the page does not
/// allow fails, and so does a module that the page does not know.
@Suite struct DependencyGraphTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    struct Package: Decodable {
        struct Target: Decodable {
            struct Dependency: Decodable {
                let byName: [String?]?
                let target: [String?]?
                let product: [String?]?
                var name: String? { (byName ?? target ?? product)?.first ?? nil }

                enum CodingKeys: CodingKey { case byName, target, product }

                init(from decoder: any Decoder) throws {
                    let container = try decoder.container(keyedBy: CodingKeys.self)
                    // Each is an array whose first element is the name; what follows (conditions) may be an object.
                    func first(_ key: CodingKeys) throws -> [String?]? {
                        guard container.contains(key) else { return nil }
                        var list = try container.nestedUnkeyedContainer(forKey: key)
                        return [try list.decode(String.self)]
                    }
                    byName = try first(.byName)
                    target = try first(.target)
                    product = try first(.product)
                }
            }
            let name: String
            let type: String
            let path: String?
            let dependencies: [Dependency]
        }
        let targets: [Target]
    }

    /// module → what it may depend on, from the table; nil as the list means anything.
    static func allowed() throws -> [String: Set<String>?] {
        let page = try String(contentsOf: root.appending(path: "docs/architecture.md"), encoding: .utf8)
        var table: [String: Set<String>?] = [:]
        for line in page.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard cells.count >= 4, let module = words(cells[1]).first else { continue }
            table[module] =
                cells[3].contains("everything above") || cells[3].contains("what it needs")
                ? .some(nil) : Set(words(cells[3]))
        }
        return table
    }

    private static func words(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    static func package() throws -> Package {
        let scratch = FileManager.default.temporaryDirectory.appending(
            path: "escrow-dump-\(UUID().uuidString)")
        // The package manager leaves its lock beside what it locked.
        let lock = scratch.path.replacingOccurrences(of: "/", with: "_") + ".lock"
        defer {
            try? FileManager.default.removeItem(at: scratch)
            try? FileManager.default.removeItem(
                at: FileManager.default.temporaryDirectory.appending(path: lock))
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", root.path, "--scratch-path", scratch.path, "dump-package",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try JSONDecoder().decode(Package.self, from: data)
    }

    @Test func noArrowThatTheArchitecturePageDoesNotAllow() throws {
        let allowed = try Self.allowed()
        // What only tests and benchmarks use is not part of the house.
        let modules = try Self.package().targets.filter { target in
            target.type != "test"
                && !["Tests/", "Benchmarks/"].contains { target.path?.hasPrefix($0) == true }
        }
        #expect(modules.count > 15)
        for module in modules {
            guard let entry = allowed[module.name] else {
                Issue.record("docs/architecture.md does not know the module \(module.name)")
                continue
            }
            guard let may = entry else { continue }
            for dependency in module.dependencies.compactMap(\.name) where !may.contains(dependency) {
                Issue.record(
                    "\(module.name) depends on \(dependency), which docs/architecture.md does not allow")
            }
        }
    }

    @Test func thePageListsNoModuleThatDoesNotExist() throws {
        let names = Set(try Self.package().targets.map(\.name))
        for module in try Self.allowed().keys {
            #expect(
                names.contains(module),
                "docs/architecture.md lists \(module), which the package does not have")
        }
    }

    @Test func thePluginAuthorsKitNeedsNothingFromOutside() throws {
        let targets = try Self.package().targets
        var pending = ["EscrowPlugin"]
        var seen: Set<String> = []
        while let name = pending.popLast() {
            guard seen.insert(name).inserted else { continue }
            let target = try #require(
                targets.first { $0.name == name }, "\(name) is not a target of this package")
            pending += target.dependencies.compactMap(\.name)
        }
        #expect(seen == ["EscrowPlugin", "EscrowWire", "EscrowTabular", "EscrowJSON"])
    }
}

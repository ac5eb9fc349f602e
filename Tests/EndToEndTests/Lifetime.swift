import Foundation
import Glibc
import Testing

/// An escrow of its own whose data and plugin processes can be told from all others on this machine.
struct Lifetime {
    let escrow: Escrow
    /// A name that stands in the one contact, and nowhere else on this machine.
    let canary = "Vita\(UInt64.random(in: 0...UInt64.max))"
    /// Part of the name of the plugin's sealed file, and so of what its processes say they run.
    let marker = "rogue-\(UInt64.random(in: 0...UInt64.max))"
    private let begun = Date()

    /// Installs a rogue plugin of its own name and allows it.
    init() throws {
        escrow = try RogueTests.prepare(
            card: RogueTests.card.replacing("Canaria Quill", with: canary), program: marker, seconds: 300)
    }

    /// The arguments of a run; `spin` computes for longer than any test takes to end it.
    static func arguments(_ mode: String) -> [String] {
        ["run", "rogue", "--app", "org.example.test", "--param", "mode=\(mode)"]
    }

    /// Starts a run and does not wait for it; `script` is a Python script that starts it in its own place.
    func start(
        _ mode: String, input: Any = FileHandle.nullDevice, by script: String? = nil
    ) throws -> (Process, output: Pipe) {
        let process = Process()
        // Signals that the thread which starts it has blocked would stay blocked.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["--default-signal"] + (script.map { ["python3", $0] } ?? []) + [Escrow.program.path]
            + Self.arguments(mode)
        var environment = ProcessInfo.processInfo.environment
        environment["ESCROW_HOME"] = escrow.home.path
        process.environment = environment
        process.currentDirectoryURL = Escrow.root
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, output)
    }

    /// Whether the ledger says that a run is about to read data.
    func hasIntent() throws -> Bool {
        try !escrow.entries("run-intent").isEmpty
    }

    /// The records by which runs said that they are about to read data. They are read from the ledger's files: a command would be
    /// a process of this escrow. Their number is not enough: a host cuts off what a killed one half wrote, and adds its own.
    func intents() -> Set<Substring> {
        let folder = escrow.home.appending(path: "ledger")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix("log.") }.reduce(into: []) { records, name in
            let bytes = (try? Data(contentsOf: folder.appending(path: name))) ?? Data()
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            records.formUnion(lines.filter { $0.contains("\"kind\":\"run-intent\"") })
        }
    }

    /// The processes of this escrow: plugins by the file they run, hosts (and children that have not come to their exec)
    /// by the home in their environment.
    func processes() -> [String] {
        let home = Data("ESCROW_HOME=\(escrow.home.path)\0".utf8)
        return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { name in
            guard Int32(name) != nil else { return false }
            if let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/exe"),
                program.contains(marker)
            {
                return true
            }
            guard let file = FileHandle(forReadingAtPath: "/proc/\(name)/environ"),
                let environment = try? file.readToEnd()
            else { return false }
            return environment.range(of: home) != nil
        }
    }

    /// Expects that every process is gone: the kernel takes a plugin along with its host, but not in no time.
    func expectNoProcess(_ when: String) {
        // Only a guard against waiting for ever: on a busy machine the dead wait for their turn, too.
        // A plugin that lives on computes for longer.
        let deadline = ContinuousClock.now + .seconds(120)
        var left = processes()
        while !left.isEmpty, ContinuousClock.now < deadline {
            poll(nil, 0, 5)
            left = processes()
        }
        #expect(left.isEmpty, "\(when): processes \(left) live on")
    }

    /// Expects that no file of the home is one that was about to take another's place.
    func expectNoHalfWrittenFile(_ when: String) throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: escrow.home.path)
        #expect(files.filter { $0.hasSuffix(".new") } == [], "\(when)")
    }

    /// Expects that no file has the contact's name but the one it came from, and that no half-written file is left.
    func expectNothingOnDisk(_ when: String, temporaryFiles: Bool = false) throws {
        var found: [String] = []
        for folder in [escrow.home.path, "/tmp", "/var/tmp", "/dev/shm"] {
            guard let files = FileManager.default.enumerator(atPath: folder) else { continue }
            while let name = files.nextObject() as? String {
                let attributes = files.fileAttributes ?? [:]
                let isDirectory = attributes[.type] as? FileAttributeType == .typeDirectory
                let changed = attributes[.modificationDate] as? Date ?? .distantFuture
                // A folder that nothing was put into since, and other tests' homes deep below, need no look.
                if isDirectory, folder != escrow.home.path, changed < begun || files.level > 1 {
                    files.skipDescendants()
                }
                let path = folder + "/" + name
                if path.hasPrefix(escrow.home.path), name.hasSuffix(".new"), !temporaryFiles {
                    found.append(path + " (half-written)")
                }
                guard attributes[.type] as? FileAttributeType == .typeRegular, changed >= begun,
                    attributes[.size] as? Int ?? 0 < 16 << 20, path != escrow.folder.path + "/one.vcf",
                    let content = FileManager.default.contents(atPath: path)
                else { continue }
                if content.range(of: Data(canary.utf8)) != nil { found.append(path) }
            }
        }
        #expect(found.isEmpty, "\(when): \(found)")
    }

    /// Expects a whole ledger in which each run has an end of some kind. Returns the records of ends.
    func expectTrueLedger(_ when: String) throws -> [[String: Any]] {
        // Looking at the ledger changes nothing in it: the next host that opens the home records what was interrupted.
        _ = try escrow.run("grant", "list")
        let verified = try escrow.run("ledger", "verify")
        #expect(verified.status == 0, "\(when): \(verified.words)")
        let list = try escrow.run("ledger", "list", "--last", "10000", "--format", "json")
        let entries = try #require(try list.json()["entries"] as? [[String: Any]])
        func runs(_ kind: String) -> Set<String> {
            Set(entries.filter { $0["kind"] as? String == kind }.compactMap { $0["run"] as? String })
        }
        #expect(runs("run-intent") == runs("run-end").union(runs("run-interrupted")), "\(when)")
        #expect(runs("run-end").isDisjoint(with: runs("run-interrupted")), "\(when)")
        return entries.filter { $0["kind"] as? String == "run-end" }.compactMap {
            $0["fields"] as? [String: Any]
        }
    }
}

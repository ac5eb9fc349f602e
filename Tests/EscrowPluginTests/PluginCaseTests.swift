import EscrowJSON
import Glibc
import Testing

/// The cases of every plugin in this repository, run by the protocol without a sandbox. A plugin that has not been
/// built is skipped: `make plugins` builds them.
@Suite(.serialized) struct PluginCaseTests {
    static let root = String(
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/"))

    @Test(arguments: ["phone-check", "thumbnails", "places-summary", "age-of-contacts"])
    func everyCaseComesOutAsItSays(plugin: String) throws {
        let folder = "\(Self.root)/Plugins/\(plugin)"
        let manifest = try JSONParser.parse(try bytes(of: "\(folder)/plugin.json")).value
        guard let command = try Self.command(folder, manifest) else { return }
        let cases = Self.files(in: "\(folder)/Tests/cases").filter { $0.hasSuffix(".json") }
        #expect(!cases.isEmpty)
        for file in cases {
            let test = try PluginCase("\(folder)/Tests/cases/\(file)", manifest: manifest, command: command)
            let difference = try test.run()
            #expect(difference == nil, "\(plugin)/\(file): \(test.name)")
        }
    }

    @Test func thePythonKitBesideAPluginIsTheKit() throws {
        let kit = try bytes(of: "\(Self.root)/SDK/python/escrow_plugin.py")
        #expect(try bytes(of: "\(Self.root)/Plugins/places-summary/escrow_plugin.py") == kit)
    }

    /// How to start a plugin, as its manifest says; nil, and a line that says why, if that cannot be done here.
    static func command(_ folder: String, _ manifest: JSONValue) throws -> [String]? {
        let artifact = manifest["artifacts"]?.array?.first
        let path = "\(folder)/\(artifact?["path"]?.string ?? "")"
        let command: [String]
        switch artifact?["interpreter"]?.string {
        case "python3": command = ["/usr/bin/python3", "-I", "-S", "-B", path]
        case "jq": command = ["/usr/bin/jq", "-f", path]
        default:
            // What the Swift package manager built counts as well as what was packed.
            let built = "\(folder)/.build/release/\(path.split(separator: "/").last ?? "")"
            command = [access(path, X_OK) == 0 ? path : built]
        }
        guard access(command[0], X_OK) == 0 else {
            print("SKIP: \(command[0]) is not there")
            return nil
        }
        return command
    }

    static func files(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }
}

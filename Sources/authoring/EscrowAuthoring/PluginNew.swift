package import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowFiles
import EscrowManifest
import Glibc

package struct PluginNew: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a folder with a small plugin that runs as it is.")

    enum Language: String, ExpressibleByArgument, CaseIterable {
        case swift
        case python
        case c
        case jq
    }

    @Argument(help: "The plugin's name: a-z, 0-9 and '-'.") var name: String
    @Option(help: "swift, python, c or jq.") var language: Language = .swift
    @Option(help: "Your reverse domain, before the name.") var domain = "org.example"

    package init() {}

    package func run() throws {
        let id = "\(domain).\(name)"
        guard PluginID.isValid(id), !name.contains(".") else {
            throw Diagnostic(
                .pluginIDInvalid, "a plugin's id is labels of a-z, 0-9 and '-' with dots between them",
                help: "for example: escrow plugin new average-age --domain org.example")
        }
        guard access(name, F_OK) != 0 else {
            throw Diagnostic(
                .pluginFolderExists, "\(name) exists", help: "choose another name, or move it away")
        }
        let template = PluginTemplate(name: name, id: id, language: language.rawValue, kit: try Kit.locate())
        for file in template.files {
            let path = "\(name)/\(file.path)"
            try SecureFile.makeFolder(SecureFile.parent(of: path), mode: 0o755)
            try SecureFile.replace(path, with: Array(file.text.utf8), mode: 0o644)
        }
        Console.data("created \(name)/")
        let widest = template.files.map(\.path.count).max() ?? 0
        for file in template.files {
            let padding = String(repeating: " ", count: widest - file.path.count)
            Console.columns("  \(file.path)\(padding)  \(file.what)")
        }
        Console.say("next: escrow plugin test \(name)")
    }
}

/// Where the plugin authors' kits lie: beside an installed escrow, or in the checkout that it was built in.
struct Kit {
    let folder: String

    static func locate() throws(Diagnostic) -> Kit {
        guard let program = realpath("/proc/self/exe", nil) else {
            throw Diagnostic(.fileOperation, "/proc/self/exe cannot be read", help: "mount /proc")
        }
        defer { free(program) }
        var folder = SecureFile.parent(of: String(cString: program))
        let installed = SecureFile.parent(of: folder) + "/lib/escrow/sdk"
        if access(installed + "/swift/Package.swift", F_OK) == 0 { return Kit(folder: installed) }
        while folder != "/" {
            if access(folder + "/SDK/swift/Package.swift", F_OK) == 0 { return Kit(folder: folder + "/SDK") }
            folder = SecureFile.parent(of: folder)
        }
        throw Diagnostic(
            .kitsMissing, "the plugin authors' kits are not beside this escrow",
            help: "install it whole: make install")
    }

    func text(_ path: String) -> String {
        (try? SecureFile.read("\(folder)/\(path)", limit: 1 << 20)).map {
            String(decoding: $0, as: UTF8.self)
        } ?? ""
    }
}

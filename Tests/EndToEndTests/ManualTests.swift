import Foundation
import Testing

/// What `make install` makes of the help: manual pages and completions.
@Suite struct ManualTests {
    @Test func everyCommandHasAPage() throws {
        let escrow = try Escrow(trusting: false)
        let folder = escrow.folder.appending(path: "man")
        let process = Process()
        process.executableURL = Escrow.root.appending(path: "scripts/man")
        process.arguments = [Escrow.program.path, folder.path]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in ["escrow.1", "escrow-run.1", "escrow-grant-allow.1", "escrow-access.1"] {
            #expect(pages.contains(name))
        }
        let run = try String(contentsOf: folder.appending(path: "escrow-run.1"), encoding: .utf8)
        for option in ["\\-\\-dry\\-run", "\\-\\-app <app>", "<plugin>"] {
            #expect(run.contains(option), "\(option)")
        }
        // No line but the page's own is a request of roff.
        let requests: Set = [".TH", ".SH", ".TP", ".B", ".BR"]
        for name in pages {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for line in text.split(separator: "\n") where line.hasPrefix(".") {
                #expect(requests.contains(String(line.prefix { $0 != " " })), "\(name): \(line)")
            }
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionsKnowTablesAndPlugins(shell: String) throws {
        let escrow = try Escrow()
        let script = try escrow.run("--generate-completion-script", shell)
        #expect(script.status == 0)
        #expect(
            script.output.contains("ContactPhoneNumbers")
                && script.output.contains("escrow plugin list --names"))
        for list in ["source list", "grant list", "pending", "queue list", "key list"] {
            #expect(script.output.contains("escrow \(list) --names"), "\(list)")
        }
        #expect(script.output.contains("escrow grant list --apps"))
        try escrow.install("phone-check")
        #expect(
            try escrow.run("plugin", "list", "--names").output == "phone-check\norg.example.phone-check\n")
    }

    /// Bash itself completes what the installed script says, with the program that was installed beside it.
    @Test func installedCompletionsCompleteWhatThereIs() throws {
        let escrow = try Escrow()
        let prefix = escrow.folder.appending(path: "prefix").path
        let install = try Self.outcome(
            ["scripts/install", Escrow.program.path, Escrow.packages.path, prefix], [:])
        try #require(install.status == 0, "\(install.text)")
        for path in [
            "bin/escrow", "bin/escrow-egress", "share/man/man1/escrow-trust-add.1",
            "share/bash-completion/completions/escrow", "share/zsh/site-functions/_escrow",
            "share/fish/vendor_completions.d/escrow.fish", "lib/escrow/plugins/phone-check.escrow",
            "lib/escrow/sdk/python/escrow_plugin.py", "lib/escrow/sdk/swift/Package.swift",
        ] {
            #expect(FileManager.default.fileExists(atPath: "\(prefix)/\(path)"), "\(path)")
        }
        try escrow.allow("phone-check", app: "org.example.notes")
        #expect(try escrow.run("source", "add", "contacts", "samples/contacts.vcf").status == 0)
        let grant = try escrow.run("grant", "list", "--names").output.split(separator: "\n").map(String.init)
        try #require(grant.count == 1)
        let source = Escrow.root.appending(path: "samples/contacts.vcf").path
        for (words, expected) in [
            (["escrow", "run", "ph"], "phone-check"),
            (["escrow", "run", "phone-check", "--app", ""], "org.example.notes"),
            (["escrow", "grant", "revoke", "g-"], grant[0]),
            (["escrow", "source", "remove", "cal"], "calendar"),
            (["escrow", "source", "remove", "contacts", "/"], source),
            (["escrow", "schema", "ContactPh"], "ContactPhoneNumbers"),
        ] {
            let completed = try Self.completed(
                words, by: "\(prefix)/share/bash-completion/completions/escrow", "\(prefix)/bin", escrow)
            #expect(completed.contains(expected), "\(words): \(completed)")
        }
    }

    /// Bash expands what it completes: what others called a folder must not be a command there.
    @Test func noCommandRunsOutOfTheNameOfASource() throws {
        let escrow = try Escrow(trusting: false)
        let script = try escrow.write(
            "completions", try escrow.run("--generate-completion-script", "bash").output)
        let plain = escrow.folder.appending(path: "plain").path
        let folders =
            [plain]
            + ["x $(id>RAN)", "x `id>RAN`", "x;id>RAN", "x'\"\\"].map { escrow.folder.path + "/" + $0 }
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try FileManager.default.copyItem(
                atPath: Escrow.root.path + "/samples/photos/IMG_0001.jpg", toPath: folder + "/1.jpg")
            #expect(try escrow.run("source", "add", "photos", folder).status == 0, "\(folder)")
        }
        let completed = try Self.completed(
            ["escrow", "source", "remove", "photos", ""], by: script,
            Escrow.program.deletingLastPathComponent().path, escrow)
        #expect(completed == [plain])
        let ran = escrow.folder.appending(path: "RAN").path
        #expect(!FileManager.default.fileExists(atPath: ran))
        // The control: bash runs what is not left out.
        let control = try Self.outcome(
            ["bash", "-c", "cd \"$1\" && compgen -W \"$2\"", "bash", escrow.folder.path, "x $(id>RAN)"], [:])
        #expect(FileManager.default.fileExists(atPath: ran), "\(control.text)")
    }

    /// What bash offers for the last word, in a test's folder.
    private static func completed(
        _ words: [String], by file: String, _ programs: String, _ escrow: Escrow
    ) throws -> [String] {
        let script = """
            cd "$1" && . "$2" || exit
            shift 2
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
            _escrow escrow "${@: -1}" "${@: -2:1}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let completed = try outcome(
            ["bash", "-c", script, "bash", escrow.folder.path, file] + words,
            ["ESCROW_HOME": escrow.home.path, "PATH": "\(programs):/usr/bin:/bin"])
        return completed.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    static func outcome(
        _ words: [String], _ environment: [String: String]
    ) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = Escrow.root
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

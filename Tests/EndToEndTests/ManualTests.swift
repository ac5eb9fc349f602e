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
        try escrow.install("phone-check")
        #expect(
            try escrow.run("plugin", "list", "--names").output == "phone-check\norg.example.phone-check\n")
    }
}

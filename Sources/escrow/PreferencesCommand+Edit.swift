import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowHost
import Glibc

extension PreferencesCommand {
    struct Edit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit",
            abstract: "Edit your rules with $VISUAL or $EDITOR; they are kept once they can be read.")
        @OptionGroup var home: HomeOptions

        func run() throws {
            let host = try home.open()
            let file = StoreFile(
                host.home.preferencesPath, limit: Preferences.maximumBytes, help: "make it shorter")
            let isNamed = Self.isSet("VISUAL") || Self.isSet("EDITOR")
            guard isNamed || isatty(0) == 1 && isatty(1) == 1 else {
                throw Diagnostic(
                    .optionMissing, "there is no terminal to edit your rules on",
                    help:
                        "name an editor that needs none in $EDITOR, or write \(host.home.preferencesPath) yourself"
                )
            }
            let before = try file.read()
            let work = try WorkFolder.make()
            let draft = work.path + "/preferences.json"
            try Self.write(before ?? Array(Self.empty.utf8), to: draft)
            while true {
                try Self.edit(draft)
                let bytes = try SecureFile.read(draft, limit: Preferences.maximumBytes)
                guard bytes != before else { return Console.say("nothing was changed") }
                do throws(Diagnostic) {
                    let preferences = try Preferences.parse(bytes, file: draft)
                    try file.replace(with: bytes) { (bytes) throws(Diagnostic) in
                        _ = try Preferences.parse(bytes, file: draft)
                    }
                    let findings = preferences.check(against: try host.catalogue())
                    Console.say("kept; they hold from the next run on")
                    findings.forEach { Console.say("note: \($0.message)") }
                    return
                } catch {
                    guard isatty(0) == 1, isatty(2) == 1 else { throw error }
                    Console.report(error)
                    guard Console.confirms("edit it again? [y/N] ") else {
                        return Console.say("your rules are as they were")
                    }
                }
            }
        }

        private static func isSet(_ variable: String) -> Bool { getenv(variable).map { $0[0] != 0 } ?? false }

        private static let empty = """
            { "escrow-preferences": 1,
              "rules": [
              ] }

            """

        private static func write(_ bytes: [UInt8], to path: String) throws(Diagnostic) {
            guard let file = fopen(path, "wxe") else { throw .file(path, "cannot be written", errno) }
            let count = fwrite(bytes, 1, bytes.count, file)
            guard fclose(file) == 0, count == bytes.count else {
                throw .file(path, "cannot be written", errno)
            }
        }

        private static func edit(_ path: String) throws(Diagnostic) {
            // An editor may be a command with options, which a shell takes apart.
            let words = ["/bin/sh", "-c", "${VISUAL:-${EDITOR:-vi}} \"$1\"", "escrow", path]
            var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
            defer { arguments.forEach { free($0) } }
            var child = pid_t()
            guard posix_spawn(&child, words[0], nil, nil, &arguments, environ) == 0 else {
                throw Diagnostic(.toolNotStarted, "no shell can be started", help: "is there a /bin/sh?")
            }
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            guard status == 0 else {
                throw Diagnostic(
                    .toolFailed, "the editor did not end well, and your rules are as they were",
                    help: "name another: EDITOR=nano escrow preferences edit")
            }
        }
    }
}

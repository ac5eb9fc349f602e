import ArgumentParser
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowHost
import EscrowSources
import Glibc

struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Look where a Linux desktop keeps its data, and add what you say yes to.",
        discussion:
            "Nothing is copied or sent: a source says where queries may read. Off a terminal it only lists.")
    @Flag(name: .shortAndLong, help: "Add all that is found, without asking.") var yes = false
    @OptionGroup var home: HomeOptions

    func run() throws {
        let place = try home.location()
        if access(place, F_OK) != 0 {
            _ = try Home.create(at: place)
            Console.say("made an escrow home in \(place)")
        }
        let host = try home.open()
        // What cannot be added, or is a source already, is not offered.
        var registry = try host.sources()
        let found = UsualSources.candidates().filter { candidate in
            var trial = registry
            guard (try? trial.add(kind: candidate.kind, path: candidate.path)) != nil else { return false }
            registry = trial
            return true
        }
        guard !found.isEmpty else {
            return Console.say("nothing new was found; add what lies elsewhere: escrow source add KIND PATH")
        }
        let asks = isatty(0) == 1 && isatty(2) == 1
        guard yes || asks else {
            for source in found {
                Console.data("escrow source add \(source.kind) \(source.path.shellQuoted)")
            }
            return Console.say("found, and nothing was added: there is no terminal to ask on; add all: --yes")
        }
        var added = 0
        for source in found {
            guard yes || Self.confirms("add \(source.kind) from \(source.path)? [y/N] ") else { continue }
            _ = try host.addSource(kind: source.kind, path: source.path)
            added += 1
            if yes { Console.say("added \(source.kind) from \(source.path)") }
        }
        Console.say("\(added) of \(found.count) added; see what there is to ask: escrow schema")
    }

    /// Whether a yes was typed.
    static func confirms(_ question: String) -> Bool {
        Console.ask(question)
        return readLine().map { ["y", "yes"].contains($0.lowercased()) } ?? false
    }
}

extension String {
    /// As a shell reads it as one word.
    fileprivate var shellQuoted: String {
        let isPlain = utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-+,:@".utf8.contains(byte)
        }
        return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}

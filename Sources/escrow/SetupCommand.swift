import ArgumentParser
import EscrowConsent
import EscrowConsole
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
        if yes || asks { show(found, host) }
        guard yes || asks else {
            for source in found {
                Console.data("escrow source add \(source.kind) \(source.path.shellQuoted)")
            }
            return Console.say("found, and nothing was added: there is no terminal to ask on; add all: --yes")
        }
        var added = 0
        var addsAll = yes
        for source in found {
            if !addsAll {
                switch Self.answer("add the \(source.kind) of \(source.program)? [y]es [n]o [a]ll [q]uit: ") {
                case .yes: break
                case .all: addsAll = true
                case .no: continue
                case .quit: return end(added, found.count)
                }
            }
            _ = try host.addSource(kind: source.kind, path: source.path)
            added += 1
            if yes { Console.say("added \(source.kind) from \(source.path)") }
        }
        end(added, found.count)
    }

    private func end(_ added: Int, _ found: Int) {
        Console.say("\(added) of \(found) added; see what there is to ask: escrow schema")
    }

    /// What was found, with how much there is: that is looked at for a moment, and nothing of it is kept.
    private func show(_ found: [UsualSources.Candidate], _ host: Host) {
        Console.say("this was found; nothing is copied, queries read it where it lies:")
        for source in found {
            let count = host.rowCount(ofSource: source.kind, at: source.path)
            Console.say("  \(source.kind) of \(source.program), \(Self.words(count)): \(source.path)")
        }
    }

    private static func words(_ count: RowCount?) -> String {
        guard let count else { return "not read just now" }
        return count.count == 0 ? "none yet" : count.words
    }

    private enum Answer { case yes, no, all, quit }

    /// What was typed. What is none of these is asked again, and is a no at last; an end of the input ends it.
    private static func answer(_ question: String) -> Answer {
        for _ in 0..<3 {
            Console.ask(question)
            guard let line = readLine() else { return .quit }
            switch line.lowercased() {
            case "y", "yes": return .yes
            case "n", "no": return .no
            case "a", "all": return .all
            case "q", "quit": return .quit
            default: Console.say("please type y, n, a or q")
            }
        }
        return .no
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

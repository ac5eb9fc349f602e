import ArgumentParser
import EscrowDiagnostics

/// Commands that do not exist, by the name of the one that was meant.
enum CommandName {
    /// Throws E1012 where the words name no command and one is spelt nearly so.
    static func check(_ words: [String]) throws(Diagnostic) {
        var command: any ParsableCommand.Type = EscrowCommand.self
        var path = "escrow"
        for word in words {
            let known = command.configuration.subcommands
            guard !known.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
            if let next = known.first(where: { $0._commandName == word }) {
                command = next
                path += " \(word)"
                continue
            }
            let nearest = Nearest.name(to: word, among: known.map { $0._commandName })
            throw Diagnostic(
                .noSuchThing, "there is no such command of \(path)",
                help: nearest.map { "did you mean: \(path) \($0)" } ?? "see them all: \(path) --help")
        }
    }
}

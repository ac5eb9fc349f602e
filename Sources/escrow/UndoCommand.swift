import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowHost

struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract:
            "Undo your last decision about a dataflow: it is taken back, and what it replaced stands again.")
    @OptionGroup var home: HomeOptions

    func run() throws {
        let host = try home.open()
        guard let undone = try host.undoDecision() else {
            throw Diagnostic(
                .noSuchGrant, "there is no decision to take back: your last change of decisions made none",
                help: "see what stands, and change it: escrow grant list")
        }
        Console.say("taken back: \(undone.taken.phrase)")
        for grant in undone.back {
            let end = host.grants.end(of: grant).map { ", but holds no more: \($0.rawValue)" } ?? ""
            Console.say("stands again: \(grant.phrase)\(end)")
        }
    }
}

extension Grant {
    fileprivate var phrase: String {
        let word =
            switch state {
            case .authorized: "yes"
            case .limited: "yes to less"
            case .denied: "no"
            }
        return
            "\(word) to \(self.plugin.id) for \(PlainText.neutral(self.app, longest: 128)), decided \(createdAt)"
    }
}

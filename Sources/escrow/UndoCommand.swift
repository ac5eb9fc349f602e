import ArgumentParser
import EscrowConsent
import EscrowDiagnostics
import EscrowHost

struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back your last decision about a dataflow, if it was a yes or a no that still stands.")
    @OptionGroup var home: HomeOptions

    func run() throws {
        let host = try home.open()
        guard let id = try host.lastDecision() else {
            throw Diagnostic(
                .noSuchGrant, "your last change of decisions is none that can be taken back",
                help: "see what stands, and change it: escrow grant list")
        }
        let grant = try host.revokeGrant(id)
        Console.say(
            "taken back: \(grant.state == .denied ? "no" : "yes") to \(grant.plugin.id) for \(grant.app), "
                + "decided \(grant.createdAt)")
        Console.say("what it replaced does not come back: escrow grant list shows what stands")
    }
}

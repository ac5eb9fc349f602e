import ArgumentParser
import EscrowConsole
import EscrowHome
import EscrowTrust

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make an escrow home: a private folder with the host's own key.")

    @OptionGroup var home: HomeOptions

    func run() throws {
        let made = try Home.create(at: try home.location())
        Console.say("made an escrow home at \(made.path)")
        Console.say("host key  \(try made.hostKey().publicKey.id)")
        Console.say("next: escrow source add contacts FILE, or escrow doctor to see what this machine can do")
    }
}

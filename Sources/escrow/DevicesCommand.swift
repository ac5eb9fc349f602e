import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowFiles
import EscrowHost
import EscrowJSON
import EscrowOwnDevices
import Glibc

/// What this home has in common with the individual's other devices. `escrow group devices` calls it: that program speaks with
/// servers, this one holds the home.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "What your devices have in common: see escrow group devices.",
        subcommands: [Exchange.self])

    struct Exchange: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "exchange",
            abstract: "Take what the group's objects say, and print what it is to know.",
            discussion: """
                `escrow group devices NAME` calls this. Objects come on standard input as `escrow group objects` prints \
                them, one a line; what is to be done to them is printed, one a line.
                """)
        @OptionGroup var home: HomeOptions

        func run() throws {
            let input = try Self.standardInput()
            var objects: [SharedObject] = []
            for line in input.split(separator: 0x0A) {
                do throws(JSONError) {
                    if let object = try SharedObject(line: Array(line)) { objects.append(object) }
                } catch {
                    throw Diagnostic(
                        .objectUnfit, "an object of the group cannot be read: \(error.impersonalMessage)")
                }
            }
            let host = try home.openQuietly()
            let exchange = EscrowOwnDevices.Exchange(
                host.home, host.grants, host.restrictions, host.identifiers,
                at: UInt64(time(nil)))
            let outcome = try exchange.exchange(objects)
            for step in outcome.steps { Console.line(step.json) }
            for refusal in outcome.refused { Console.line(refusal.json) }
            if let failure = outcome.failure { throw failure }
        }

        /// All of it. One call of Foundation's `FileHandle` would link 49 MB into `escrow` (FoundationTests).
        private static func standardInput() throws(Diagnostic) -> [UInt8] {
            let file = Descriptor(owning: dup(STDIN_FILENO))
            var bytes: [UInt8] = []
            while true {
                let piece = try file.read(1 << 16)
                if piece.isEmpty { return bytes }
                bytes += piece
            }
        }
    }
}

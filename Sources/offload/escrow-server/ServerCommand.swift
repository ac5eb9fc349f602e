import ArgumentParser
import COffloadWalls
import EscrowDiagnostics
import EscrowFiles
import EscrowManifest
import EscrowServerService
import Glibc

@main
struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "escrow-server",
        abstract: "Run plugins on data that devices send, for the devices that you enrolled.",
        discussion: """
            A household begins with escrow-server init, which makes an authority of its own. Whose plugins may run is said \
            by escrow-server trust add, which of them by escrow-server registry add, and who may ask by escrow-server enrol.
            """,
        version: SemanticVersion.host.description,
        subcommands: [
            InitCommand.self, RunServerCommand.self, AttestCommand.self, RenewCommand.self, TrustCommand.self,
            RegistryCommand.self,
            EnrolCommand.self, DeviceCommand.self,
        ])

    static func main() async {
        Crash.leavesNothing()
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let diagnostic as Diagnostic {
            Log.say("\(diagnostic)")
            Glibc.exit(diagnostic.exitStatus.rawValue)
        } catch {
            exit(withError: error)
        }
    }
}

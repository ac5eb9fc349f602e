import ArgumentParser
import EscrowDiagnostics
import EscrowHost

struct HostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Serve an app: run() over JSON lines on stdin and stdout.",
        discussion:
            "Apps start this through the library EscrowClient. docs/spec/app-protocol.md has the messages.")

    @Flag(help: "Speak over stdin and stdout.") var stdio = false
    @OptionGroup var home: HomeOptions

    func run() throws {
        guard stdio else {
            throw Diagnostic("E1015", "how to reach the app is missing", help: "escrow host --stdio")
        }
        try HostService(
            host: try home.openQuietly(), input: 0, output: 1,
            version: EscrowCommand.configuration.version
        ).serve()
    }
}

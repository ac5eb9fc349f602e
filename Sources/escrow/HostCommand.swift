import ArgumentParser
import EscrowAppHost
import EscrowConsole
import EscrowDiagnostics
import EscrowHost
import EscrowServiceCall
import EscrowTableKit
import Synchronization

struct HostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Serve an app: run() over JSON lines on stdin and stdout.",
        discussion:
            """
            Apps start this through the library EscrowClient. docs/spec/app-protocol.md has the messages. Where the service runs \
            (escrow serve) this is a bridge to it, and holds no data.
            """)

    @Flag(help: "Speak over stdin and stdout.") var stdio = false
    @OptionGroup var home: HomeOptions

    func run() throws {
        guard stdio else {
            throw Diagnostic(.optionMissing, "how to reach the app is missing", help: "escrow host --stdio")
        }
        if let location = try? home.location(),
            let socket = ServiceReach.socket(home: home.home, at: location)
        {
            return try ServiceBridge(
                socket: socket, input: 0, output: 1, version: EscrowCommand.configuration.version
            ).serve()
        }
        let host = try home.openQuietly()
        // An app may read stderr, but this slows every query of the host, and nobody would be told otherwise.
        let once = Once()
        host.sourceMemory.onNotice {
            if $0.code == .tooManyFoldersToWatch, once.isFirst() { Console.report($0) }
        }
        try HostService(
            host: host, input: 0, output: 1,
            version: EscrowCommand.configuration.version
        ).serve()
    }
}

/// Says yes once.
private final class Once: Sendable {
    private let isDone = Atomic(false)

    func isFirst() -> Bool { !isDone.exchange(true, ordering: .relaxed) }
}

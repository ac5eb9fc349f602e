import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import Glibc

/// The service is a program of its own beside this one: `escrow` links no server.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve apps over a socket, until it is ended.",
        discussion: """
            Apps send HTTP to service.sock in the runtime folder; docs/service.md has examples with curl. What nobody has \
            decided about waits: escrow pending, escrow answer. systemctl --user enable --now escrow.socket starts it when \
            the first app comes.
            """)
    @Option(help: "The folder of the sockets (default: escrow in $XDG_RUNTIME_DIR).") var runtime: String?
    @OptionGroup var home: HomeOptions

    func run() throws {
        var words = ["escrow-service", "--home", try home.location()]
        if let runtime { words += ["--runtime", runtime] }
        throw Companion.become("escrow-service", words)
    }
}

/// Programs that lie beside this one.
enum Companion {
    /// Becomes another program; returns only why it could not.
    static func become(_ name: String, _ words: [String]) -> Diagnostic {
        guard let own = path() else { return Diagnostic(.ownFault, "the path of this program is not known") }
        let program = String(own[...(own.lastIndex(of: "/") ?? own.startIndex)]) + name
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        execv(program, &arguments)
        return Diagnostic(
            .toolNotStarted, "\(program) cannot be started", help: "make build builds it beside escrow")
    }

    /// Where this program lies.
    static func path() -> String? {
        guard let found = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}

import ArgumentParser
import EscrowDiagnostics
import Glibc

/// Groups speak with servers, and this program does not: `escrow-group` beside it does.
struct GroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Share objects with a group, through servers that nobody trusts.")
    @Argument(parsing: .captureForPassthrough, help: "A command of escrow-group; --help lists them.")
    var words: [String] = []

    func run() throws {
        guard var program = realpath("/proc/self/exe", nil).map({ String(cString: $0) }),
            let slash = program.lastIndex(of: "/")
        else { throw Diagnostic(.ownFault, "the path of this program is not known") }
        program = program[...slash] + "escrow-group"
        var arguments: [UnsafeMutablePointer<CChar>?] = (["escrow-group"] + words).map { strdup($0) }
        arguments.append(nil)
        execv(program, &arguments)
        throw Diagnostic(
            .toolNotStarted, "\(program) cannot be started", help: "make groups builds it beside escrow")
    }
}

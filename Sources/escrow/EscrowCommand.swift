import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowManifest
import Glibc

@main
struct EscrowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "escrow",
        abstract: "Programs compute on your data without ever seeing it.",
        discussion: """
            A program asks for run(access(), compute()): one SQL query over your own files, and the name of a signed \
            plugin. Escrow runs the query itself, gives the rows to the plugin in a sandbox without network or files, \
            and hands back only the result. You see every dataflow, decide, and can look it up ever after.

            A first look: escrow setup, escrow schema, escrow access 'SELECT * FROM Contacts LIMIT 5', escrow doctor.
            """,
        version: SemanticVersion.host.description,
        subcommands: called.map { [$0] } ?? commands)

    private static let commands: [any ParsableCommand.Type] = [
        InitCommand.self, SetupCommand.self, SourceCommand.self, SchemaCommand.self, AccessCommand.self,
        SQLCommand.self, PluginCommand.self, KeyCommand.self, TrustCommand.self, RunCommand.self,
        PendingCommand.self, AnswerCommand.self, GrantCommand.self, UndoCommand.self,
        PreferencesCommand.self, QueueCommand.self, ScheduleCommand.self, RestrictionCommand.self,
        LedgerCommand.self, EgressCommand.self, EndpointCommand.self, CredentialCommand.self,
        LocationCommand.self, IdentifierCommand.self, GroupCommand.self, DevicesCommand.self,
        ServerCommand.self, BackupCommand.self, RestoreCommand.self, DoctorCommand.self, HostCommand.self,
        ServeCommand.self, AppCommand.self, PageCommand.self, MCPCommand.self, ExplainCommand.self,
    ]

    /// The command that is called, where the first word names one. The parser searches the whole tree that it is given several times
    /// at each start, so it is given no other branch.
    private static var called: (any ParsableCommand.Type)? {
        CommandLine.arguments.dropFirst().first.flatMap { word in
            commands.first { $0._commandName == word }
        }
    }

    /// Parses, runs, and turns a diagnostic into its text and its documented exit status.
    static func main() {
        Beginning.take()
        // A reader that goes away (`escrow schema | head -1`) ends the command by a failed write, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        do {
            try CommandName.check(Array(CommandLine.arguments.dropFirst()))
            var command = try parseAsRoot()
            if let paged = command as? any Paged { Pager.begin(paged.paging) }
            try command.run()
            Console.endPage()
        } catch let diagnostic as Diagnostic {
            Console.endPage()
            Console.report(diagnostic)
            Glibc.exit(diagnostic.exitStatus.rawValue)
        } catch {
            Console.endPage()
            let code = exitCode(for: error)
            // Help and versions are data; what was typed wrongly is said as other errors are, broken where the host breaks it.
            if code.isSuccess { exit(withError: error) }
            fullMessage(for: error).split(separator: "\n").forEach { Console.say(String($0)) }
            Glibc.exit(code.rawValue)
        }
    }
}

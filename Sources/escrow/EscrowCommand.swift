import ArgumentParser
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
        subcommands: [
            InitCommand.self, SetupCommand.self, SourceCommand.self, SchemaCommand.self, AccessCommand.self,
            SQLCommand.self,
            PluginCommand.self, KeyCommand.self, TrustCommand.self, RunCommand.self, PendingCommand.self,
            AnswerCommand.self, GrantCommand.self, UndoCommand.self,
            PreferencesCommand.self, QueueCommand.self, RestrictionCommand.self, LedgerCommand.self,
            EgressCommand.self, EndpointCommand.self, CredentialCommand.self, LocationCommand.self,
            IdentifierCommand.self, GroupCommand.self, ServerCommand.self,
            BackupCommand.self, RestoreCommand.self,
            DoctorCommand.self, HostCommand.self, ServeCommand.self, AppCommand.self, PageCommand.self,
            MCPCommand.self,
            ExplainCommand.self,
        ])

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
            exit(withError: error)
        }
    }
}

import ArgumentParser
import EscrowDiagnostics
import EscrowFiles
import Foundation

@main
struct GroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "escrow group",
        abstract: "Share objects with a group, through servers that nobody trusts.",
        discussion: """
            The data lies on the members' devices. What changes is sealed, split into shares, and given to servers of \
            different providers (escrow-share-server), which forget it after a time. Any k of n servers are enough.

            An app keeps its objects with update and delete, calls sync now and then, and reads objects. All output is JSON, \
            one value a line.
            """,
        subcommands: [
            CreateCommand.self, IntroduceCommand.self, InviteCommand.self, JoinCommand.self, ListCommand.self,
            ShowCommand.self, RemoveCommand.self, LeaveCommand.self, MoveCommand.self, UpdateCommand.self,
            DeleteCommand.self, ObjectsCommand.self, SyncCommand.self, AskCommand.self, QuestionsCommand.self,
            AnswerCommand.self, DevicesCommand.self,
        ])

    static func main() {
        Crash.leavesNothing()
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let diagnostic as Diagnostic {
            FileHandle.standardError.write(Data("\(diagnostic)\n".utf8))
            Foundation.exit(diagnostic.exitStatus.rawValue)
        } catch {
            exit(withError: error)
        }
    }
}

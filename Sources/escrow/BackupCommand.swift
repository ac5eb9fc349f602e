import ArgumentParser
import EscrowBackup
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowHome
import EscrowHost
import EscrowRestore
import Glibc

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write an encrypted backup of your escrow home into a new file.",
        discussion: """
            All of it: keys, decisions, plugins, identifiers and the ledger; not your data itself, which lies where it \
            always did. Whoever has the file and the passphrase has it all; without the passphrase nobody has, not you \
            either.
            """)

    @Argument(help: "The file to be made.", completion: .file()) var file: String
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var home: HomeOptions

    func run() throws {
        let host = try home.open()
        let secret = try passphrase.read(confirming: true)
        let summary = try host.backup(to: Home.absolute(file), passphrase: secret)
        Console.say("backed up \(summary.files) files, \(summary.bytes) bytes, into \(file)")
        Console.say("to have it back: escrow restore \(file) --home DIR")
    }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a backup as a new escrow home.",
        discussion: """
            The home must not exist yet. On another device than the backup's, publishers and advertising are told new \
            identifiers; apps know you by the same as before. Decisions come back as they were: those for so many runs are \
            asked for again, all others that allow something are marked, and on a terminal you are asked first. Whether an app \
            is told live where you are is undecided again, and apps need new tokens.
            """)

    @Argument(help: "The backup.", completion: .file()) var file: String
    @Flag(help: "Count this as another device than the backup's, whatever its machine-id says.")
    var otherDevice = false
    @Flag(help: "Do not ask whether to go back to what was decided then.") var yes = false
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var home: HomeOptions

    func run() throws {
        let path = try home.location()
        let secret = try passphrase.read(confirming: false)
        let report = try Home.restore(
            Home.absolute(file), to: path, passphrase: secret, countsAsOther: otherDevice,
            confirm: { offer in yes || Self.isWanted(offer) })
        Console.say("restored an escrow home at \(path), as it was at \(report.offer.asOf)")
        Console.say(
            report.isOtherDevice
                ? "this is another device: publishers and advertising know you by nothing yet"
                : "this is the device that the backup is from: all identifiers are as they were")
        let (kept, undecided) = (report.decisions.kept.count, report.decisions.undecided.count)
        if kept > 0 {
            Console.say(
                "allowed as it was then: \(kept) decisions; what you took back since is back: escrow grant list"
            )
        }
        if undecided > 0 {
            Console.say(
                report.lacksRecords
                    ? "the ledger lacks records that were made since, so \(undecided) decisions that allowed something are undecided again"
                    : "undecided again: \(undecided) decisions for so many runs, which may be used up")
        }
        if report.droppedDataflows > 0 {
            Console.say("dropped: \(report.droppedDataflows) dataflows that waited")
        }
        Self.tell(report.others)
        Console.say("next: escrow ledger verify, escrow doctor")
    }

    private static func tell(_ others: RestoredOthers) {
        func names(_ list: [String]) -> String {
            list.map { PlainText.neutral($0, longest: 253) }.joined(separator: ", ")
        }
        if !others.live.isEmpty {
            Console.say("undecided again, whether told live where you are: \(names(others.live))")
        }
        if others.placesSpent > 0 {
            Console.say("counted as spent for today: \(others.placesSpent) budgets of what is told of places")
        }
        if !others.apps.isEmpty {
            Console.say("tokens dropped, give out new ones: escrow app add \(names(others.apps))")
        }
        if !others.credentials.isEmpty {
            Console.say(
                "kept again for servers, what you revoked since too: \(names(others.credentials)): escrow credential list"
            )
        }
    }

    /// Asks at the terminal, where there is one: off a terminal nobody can be asked, and whoever wrote the command meant it.
    private static func isWanted(_ offer: RestoreOffer) -> Bool {
        guard isatty(0) == 1, isatty(2) == 1 else { return true }
        Console.say(
            "the backup is from \(offer.asOf): what you decided, took back or used up since is not in it")
        Console.say("restore it? [yes / no]")
        return readLine() == "yes"
    }
}

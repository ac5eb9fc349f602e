import ArgumentParser
import EscrowBackup
import EscrowDiagnostics
import EscrowHost
import EscrowIdentity

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write an encrypted backup of your escrow home into a new file.",
        discussion: """
            All of it: keys, decisions, plugins, identifiers and the ledger; not your data itself, which lies where it \
            always did. Whoever has the file and the passphrase has it all; without the passphrase nobody has, not you \
            either.
            """)

    @Argument(help: "The file to be made.") var file: String
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
            identifiers; apps know you by the same as before.
            """)

    @Argument(help: "The backup.") var file: String
    @Flag(help: "Count this as another device than the backup's, whatever its machine-id says.")
    var otherDevice = false
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var home: HomeOptions

    func run() throws {
        let path = try home.location()
        let secret = try passphrase.read(confirming: false)
        let isOther = try Home.restore(
            Home.absolute(file), to: path, passphrase: secret, countsAsOther: otherDevice)
        Console.say("restored an escrow home at \(path)")
        Console.say(
            isOther
                ? "this is another device: publishers and advertising know you by nothing yet"
                : "this is the device that the backup is from: all identifiers are as they were")
        Console.say("next: escrow ledger verify, escrow doctor")
    }
}

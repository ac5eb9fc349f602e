import ArgumentParser
import EscrowAuthoring
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowManifest
import EscrowTabular
import EscrowTrust
import Glibc

struct PluginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin", abstract: "Write, check, pack, install and look at plugins.",
        subcommands: [
            PluginNew.self, PluginCheck.self, PluginTest.self, PluginPack.self, PluginSign.self,
            PluginVerify.self,
            PluginInstall.self, PluginList.self, PluginShow.self, PluginRemove.self,
        ])
}

struct PluginInstall: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract:
            "Verify a package and keep it. This grants nothing: each dataflow still needs your decision.")
    @Argument(help: "The package, FILE.escrow.", completion: .packages) var package: String
    @Flag(name: .shortAndLong, help: "Do not ask.") var yes = false
    @Flag(help: "Accept an older version than was installed before; the ledger says so.") var allowRollback =
        false
    @OptionGroup var home: HomeOptions

    func run() throws {
        let host = try home.open()
        let found = try host.plugins().inspect(package, now: try host.now())
        let update = try PluginUpdate(to: found, host)
        try PluginSheet(
            found.manifest, digest: found.digest.hexadecimal, signers: found.keys.map(\.id), update: update,
            host: host
        )
        .lines(width: Console.sheetWidth).forEach(Console.explain)
        guard
            try yes
                || Console.confirms(
                    "keep it? this grants nothing yet [y/N] ", help: "to install without being asked: --yes")
        else { return Console.say("nothing was installed") }
        let plugin = try host.install(package, shown: found, allowRollback: allowRollback)
        Console.say("installed \(plugin.id) \(plugin.version)")
        Console.say("next: escrow run \(plugin.shortName)")
    }
}

struct PluginList: Paged {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the installed plugins.")
    @Flag(help: "Print what they can be called, and nothing else.") var names = false
    @OptionGroup var paging: PagingOptions
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let host = try home.open()
        let store = try host.plugins()
        guard !names else { return Console.names(try store.list().flatMap { [$0.shortName, $0.id] }) }
        let now = try host.now()
        let rows = try store.list().map { plugin -> (plugin: InstalledPlugin, state: String) in
            var state = "verified"
            do throws(Diagnostic) { _ = try store.check(plugin.id, now: now) } catch {
                state = "\(error.code.rawValue): \(error.message)"
            }
            return (plugin, state)
        }
        format.list(
            rows, as: "plugins", none: "no plugin is installed yet: escrow plugin install FILE.escrow",
            ["plugin", "version", "installed", "state"]
        ) { plugin, state in
            [plugin.id, plugin.version, plugin.installed.day, state]
        } json: { plugin, state in
            [
                "id": .string(plugin.id), "version": .string(plugin.version),
                "sequence": .integer(plugin.sequence), "manifest": .string(plugin.manifestDigest),
                "signers": .array(plugin.keyIDs.map(JSONValue.string)),
                "installed": .string(plugin.installed.description), "state": .string(state),
            ]
        }
    }
}

struct PluginShow: Paged {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what an installed plugin may read, returns and uses.")
    @Argument(help: "The plugin: its id, or the last part of it.", completion: .plugins) var plugin: String
    @Flag(help: "Print the signed manifest as it is.") var manifest = false
    @OptionGroup var paging: PagingOptions
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let host = try home.open()
        let store = try host.plugins()
        let now = try host.now()
        if manifest || format.isJSON {
            Console.data(json: try store.manifestBytes(plugin, now: now))
            return
        }
        let found = try store.check(plugin, now: now)
        try PluginSheet(
            found.manifest, digest: found.digest.hexadecimal, signers: found.keys.map(\.id), host: host
        )
        .lines(width: TerminalText.columns(of: 1) ?? 96).forEach(Console.data)
    }
}

struct PluginRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an installed plugin.")
    @Argument(help: "The plugin: its id, or the last part of it.", completion: .plugins) var plugin: String
    @OptionGroup var home: HomeOptions

    func run() throws {
        let removed = try home.open().removePlugin(plugin)
        Console.say(
            "removed \(removed.id) \(removed.version); an older version will still not be accepted in its place"
        )
    }
}

struct PluginVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify a package, or an installed plugin, and start nothing.")
    @Argument(
        help: "An installed plugin; or a file: a name with a slash in it, or FILE.escrow.",
        completion: .packages)
    var subject: String
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let host = try home.open()
        let store = try host.plugins()
        let now = try host.now()
        // A file that somebody put into the working folder does not answer for an installed plugin of its name.
        let isFile =
            subject.contains("/") || subject.hasSuffix(".escrow") && access(subject, F_OK) == 0
        let found = isFile ? try store.inspect(subject, now: now) : try store.check(subject, now: now)
        if format.isJSON {
            Console.data([
                "verified": true, "installed": .bool(!isFile), "id": .string(found.manifest.id),
                "version": .string(found.manifest.version.description),
                "manifest": .string(found.digest.hexadecimal),
                "signers": .array(found.keys.map { .string($0.id.description) }),
            ])
        } else {
            let trust = try host.trustFile.load()
            let signers = found.keys.map { key in
                trust.name(of: key.id).map { "\(key.id.short) (\($0))" } ?? key.id.short
            }
            Console.data("verified: \(found.manifest.id) \(found.manifest.version)")
            Console.data(isFile ? "the file \(Console.printable(subject))" : "as it is installed")
            Console.data("manifest sha256:\(found.digest.hexadecimal)")
            Console.data(
                "signed by \(signers.joined(separator: ", ")), expires \(found.manifest.expires.day)")
        }
    }
}

/// What a person sees of a plugin before keeping it.
struct PluginSheet {
    private let rows: [(label: String, text: String)]

    /// A label, or the mark of the line before, begins each line: what a publisher wrote never does.
    func lines(width: Int) -> [String] {
        ["a plugin, its signature verified:"]
            + rows.flatMap {
                TerminalText.row($0.label, PlainText.whole($0.text), indent: 12, width: width)
            }
    }

    init(
        _ manifest: Manifest, digest: String, signers: [KeyID], update: PluginUpdate? = nil, host: Host
    ) throws(Diagnostic) {
        let trust = try host.trustFile.load()
        let names = signers.map { key in trust.name(of: key).map { "\($0) (\(key.short))" } ?? key.short }
        let accepts = manifest.accepts.columns.map { "\($0.name) \($0.type.rawValue)" }
        let sends = manifest.egress.map(\.sentence)
        let privacy =
            manifest.publisher.privacy.map { "the publisher's statement, not looked at: \($0)" }
            ?? "the publisher names no statement"
        var rows: [(label: String, text: String)] = [
            ("plugin", "\(manifest.id) \(manifest.version)"), ("title", PlainText.quoted(manifest.title)),
            ("signed", "by \(names.joined(separator: ", "))"), ("privacy", privacy),
            ("purpose", "\(PlainText.quoted(manifest.purpose.text)) (\(manifest.purpose.code.rawValue))"),
            ("may read", manifest.readsSentence),
            ("accepts", accepts.joined(separator: ", ")),
            ("learns", manifest.result.learned.map { PlainText.quoted($0) }.joined(separator: ", ")),
            ("returns", manifest.result.sentence),
        ]
        rows += (sends.isEmpty ? ["nothing"] : sends).map { ("sends", $0) }
        rows += [
            ("capacity", manifest.capacitySentence), ("limits", manifest.limitSentence),
            ("valid", "\(manifest.issued.day) to \(manifest.expires.day)"),
            ("manifest", "sha256:\(digest)"),
        ]
        self.rows = rows + (update?.rows ?? [])
    }
}

import ArgumentParser
import EscrowConsole
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowManifest
import EscrowTrust

struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust", abstract: "Say which publishers' keys you trust, and for what.",
        subcommands: [Add.self, List.self, Remove.self, Rotate.self, Revoke.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Trust a key for plugins whose id fits a pattern.",
            discussion: """
                A trusted key lets plugins be installed; each dataflow still needs your own decision.

                With --package the key that came along with a plugin is shown and asked about. Whoever made the package chose that \
                key: compare its fingerprint with what the publisher tells elsewhere.
                """)
        @Argument(help: "A plugin id, or whole labels and a star: org.example.*") var pattern: String
        @Argument(help: "The public key, as escrow key show prints it.") var key: String?
        @Option(help: "A file that holds the public key.", completion: .file()) var keyFile: String?
        @Option(help: "A package, FILE.escrow: shows who signed it, and asks.", completion: .packages)
        var package: String?
        @Option(help: "With --package: the fingerprint that the key must have; it is not asked about then.")
        var fingerprint: String?
        @Option(help: "Your own name for the signer.") var name: String?
        @Option(help: "Trust it from this day on, YYYY-MM-DD.") var from: String?
        @Option(help: "Trust it until this day, YYYY-MM-DD.") var until: String?
        @OptionGroup var home: HomeOptions

        func run() throws {
            let host = try home.open()
            var entries: [TrustEntry] = []
            for key in try keys(host) {
                entries.append(
                    try TrustEntry(
                        pattern: pattern, key: key, name: name, validAfter: try day(from),
                        validBefore: try day(until)))
            }
            for entry in entries {
                try host.trust(entry)
                Console.say("trusted  \(entry.key.id)\(name.map { "  (\($0))" } ?? "")")
            }
            Console.say(entries.isEmpty ? "nobody was trusted" : "for      \(pattern)")
        }

        /// The keys, from where they were given; none where the individual said no.
        private func keys(_ host: Host) throws -> [PublicKey] {
            switch (key, keyFile, package) {
            case (let key?, nil, nil): return [try PublicKey(base64: key)]
            case (nil, let file?, nil):
                let bytes = try SecureFile.read(file, limit: 4096)
                let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
                return [try PublicKey(base64: text)]
            case (nil, nil, let package?):
                return try PackageSigners(package, pattern: pattern).confirmed(fingerprint)
            default:
                throw Diagnostic(
                    .optionMissing, "name the publisher's public key once",
                    help: "escrow trust add '\(pattern)' KEY, or --key-file FILE, or --package FILE")
            }
        }

        private func day(_ text: String?) throws(Diagnostic) -> Moment? {
            guard let text else { return nil }
            guard let moment = Moment(day: String(text.filter { $0 != "-" })) else {
                throw Diagnostic(.daySyntax, "a day is YYYY-MM-DD", help: "for example: --until 2027-12-31")
            }
            return moment
        }
    }

    struct List: Paged {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List whom you trust, and what was revoked.")
        @Flag(help: "Print the fingerprints, and nothing else.") var names = false
        @OptionGroup var paging: PagingOptions
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let entries = try home.open().trustFile.load().entries
            guard !names else { return Console.names(entries.map(\.key.id.description)) }
            format.list(
                entries, as: "trust", none: "nobody is trusted yet: escrow trust add 'org.example.*' KEY",
                ["pattern", "fingerprint", "name", "from", "until", "signers"],
                row: {
                    [
                        $0.pattern, $0.key.id.description, $0.name ?? "", $0.validAfter?.day ?? "",
                        $0.validBefore?.day ?? "", $0.threshold > 1 ? "\($0.threshold)" : "",
                    ]
                }, json: \.json)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Stop trusting a key: its plugins are refused from the next run on.")
        @Argument(help: "The fingerprint, or its beginning.", completion: .trusted) var fingerprint: String
        @Option(help: "Only for this pattern.") var pattern: String?
        @OptionGroup var home: HomeOptions

        func run() throws {
            let host = try home.open()
            let before = try host.trustFile.load()
            let matches = Set(
                before.entries.map(\.key.id).filter {
                    $0.description.hasPrefix(fingerprint)
                })
            guard matches.count == 1, let key = matches.first else {
                throw Diagnostic(
                    .noSuchThing,
                    matches.isEmpty
                        ? "no trusted key has that fingerprint" : "that is the beginning of several",
                    help: "escrow trust list")
            }
            let removed = try host.distrust(key, pattern: pattern)
            Console.say("no longer trusted for \(removed.map(\.pattern).joined(separator: ", ")): \(key)")
            let after = try host.trustFile.load()
            for pattern in Set(removed.map(\.pattern)).sorted() {
                guard let was = before.threshold(pattern: pattern),
                    let now = after.threshold(pattern: pattern),
                    now < was
                else { continue }
                Console.say(
                    "for \(pattern) signatures needed: \(now), it was \(was); to keep it, put threshold=\(was) into "
                        + "another line of \(host.trustFile.path)")
            }
        }
    }

    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Follow a publisher to a new key, by a statement that both keys signed.",
            discussion: """
                Publishers make the statement with: escrow trust rotate --make --old NAME --new NAME --ids 'org.example.*' \
                --days 180 > rotation.json
                """)
        @Argument(help: "The statement.", completion: .file()) var file: String?
        @Flag(help: "Make a statement instead of following one.") var make = false
        @Option(help: "With --make: the name of the old key.") var old: String?
        @Option(help: "With --make: the name of the new key.") var new: String?
        @Option(help: "With --make: ids or patterns, separated by commas.") var ids: String?
        @Option(help: "With --make: how many days the old key still counts.") var days = 180
        @OptionGroup var home: HomeOptions

        func run() throws {
            let host = try home.open()
            if make {
                guard let old, let new, let ids else {
                    throw Diagnostic(
                        .optionMissing, "--make needs --old, --new and --ids",
                        help: "escrow trust rotate --help")
                }
                let from = try host.home.signingKey(old)
                let to = try host.home.signingKey(new)
                let now = try host.now()
                let lineage = try Lineage(
                    from: from.publicKey, to: to.publicKey, ids: ids.split(separator: ",").map(String.init),
                    effective: now, oldKeyVerifiesUntil: now.adding(days: days))
                Console.data(try lineage.sign(old: from, new: to).encoded)
                return
            }
            guard let file else {
                throw Diagnostic(
                    .optionMissing, "there is no statement to follow", help: "escrow trust rotate FILE")
            }
            let bytes = try SecureFile.read(file, limit: Envelope.maximumBytes)
            let lineage = try Lineage(
                verifying: try Envelope(parsing: bytes, file: file), trust: try host.trustFile.load(),
                file: file)
            try host.rotate(lineage)
            Console.say("old key  \(lineage.from.id), counts until \(lineage.oldKeyVerifiesUntil.day)")
            Console.say("new key  \(lineage.to.id), counts from \(lineage.effective.day)")
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Refuse a key, a plugin's manifest, or versions of a plugin, whoever signed them.")
        @Option(help: "A key's fingerprint.") var key: String?
        @Option(help: "The SHA-256 of a manifest, as escrow plugin show prints it.") var manifest: String?
        @Option(help: "A plugin id; with --below.") var plugin: String?
        @Option(help: "With --plugin: versions below this one.") var below: String?
        @OptionGroup var home: HomeOptions

        func run() throws {
            let host = try home.open()
            guard (plugin == nil) == (below == nil) else {
                throw Diagnostic(
                    .optionMissing, "--plugin and --below belong together: neither revokes anything alone",
                    notes: ["nothing was revoked"], help: "all versions so far: --below the next one")
            }
            guard key != nil || manifest != nil || plugin != nil else {
                throw Diagnostic(
                    .optionMissing, "there is nothing to revoke",
                    help: "name --key, --manifest, or --plugin with --below")
            }
            let count = try host.revoke(key: key, manifest: manifest, plugin: plugin, below: below)
            Console.say("revoked; the list has \(count) entries, and holds from the next run on")
        }
    }
}

extension TrustEntry {
    /// The entry for `--format json`.
    fileprivate var json: JSONValue {
        [
            "pattern": .string(pattern), "fingerprint": .string(key.id.description),
            "publicKey": .string(key.base64),
            "name": name.map(JSONValue.string) ?? .null,
            "validAfter": validAfter.map { .string($0.description) } ?? .null,
            "validBefore": validBefore.map { .string($0.description) } ?? .null,
            "threshold": .integer(Int64(threshold)), "lineage": lineage.map(JSONValue.string) ?? .null,
        ]
    }
}

import ArgumentParser
import EscrowConsole
import EscrowFiles
import EscrowHome
import EscrowJSON
import EscrowLedger
import EscrowTrust

extension LedgerCommand {
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check every byte of the ledger, or a proof about one.",
            discussion: "A proof is checked with the key of this home, or with --key; it needs no ledger.")
        @Option(help: "A proof to check instead, as `escrow ledger prove` writes it.") var proof: String?
        @Option(help: "The public key of the host that the proof is about, in base64.") var key: String?
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            if let proof { return try check(proof) }
            let report = try home.ledger().verify()
            let missing = report.missing
            if format.isJSON {
                Console.data([
                    "good": true, "entries": .integer(Int64(report.count)), "root": .string(report.root),
                    "key": .string(report.keyID), "signedAt": .string("\(report.signedAt)"),
                    "checkpoint": .string(report.checkpoint), "verifierKey": .string(report.verifierKey),
                    "runsWithoutEnd": .array(report.unfinishedRuns.map { .string($0.run) }),
                    "erased": .integer(Int64(missing.erased)), "decayed": .integer(Int64(missing.decayed)),
                    "compacted": .integer(Int64(missing.compacted)), "lost": .integer(Int64(missing.lost)),
                ])
                return
            }
            Console.data(
                "the ledger is whole: \(report.count) entries, signed by \(report.keyID) at \(report.signedAt)"
            )
            for (count, what) in [
                (missing.erased, "were erased"), (missing.decayed, "lost detail with age"),
                (missing.compacted, "were dropped with age or for room"),
                (missing.lost, "were lost to damage"),
            ] where count > 0 {
                Console.data("\(count) of them \(what), as entries of the ledger say")
            }
            for run in report.unfinishedRuns {
                Console.data("run \(run.run) has no end yet: it is running, or its host was stopped")
            }
        }

        private func check(_ path: String) throws {
            let bytes = try SecureFile.read(path, limit: 1 << 20)
            let proof = try LedgerProof(text: String(decoding: bytes, as: UTF8.self))
            let entry: LedgerEntry?
            if let key {
                entry = try Home.verify(proof, key: try PublicKey(base64: key))
            } else {
                entry = try Home.verify(
                    proof, key: try Home.open(at: try home.location()).hostKey().publicKey)
            }
            if format.isJSON {
                Console.data([
                    "good": true, "ledger": .string(proof.ledger), "entries": .integer(Int64(proof.size)),
                    "claim": .string(proof.sentence), "entry": entry?.json ?? .null,
                ])
                return
            }
            Console.data(
                "the proof holds: \(proof.sentence), in ledger \(proof.ledger) of \(proof.size) entries at \(proof.time)"
            )
            if let entry {
                for member in entry.fields.members ?? [] {
                    Console.data("    \(member.name)  \(Console.printable(ledgerText(member.value)))")
                }
            }
        }
    }

    struct Prove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prove",
            abstract: "Write a proof that others can check without the ledger.",
            discussion: """
                A proof of an entry holds the entry itself: whoever gets the file reads it. It is in the form of C2SP \
                tlog-proof, and its checkpoint in that of C2SP tlog-checkpoint.
                """)
        @Argument(help: "The number of an entry.") var entry: UInt64?
        @Option(help: "Prove that the ledger only grew since it had so many entries.") var consistency:
            UInt64?
        @OptionGroup var home: HomeOptions

        func run() throws {
            let reader = try home.ledger()
            switch (entry, consistency) {
            case (let entry?, nil): Console.data(Array(try reader.prove(entry).text.utf8))
            case (nil, let old?): Console.data(Array(try reader.proveConsistency(from: old).text.utf8))
            default: throw ValidationError("name an entry, or --consistency SIZE")
            }
        }
    }

    struct Repair: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "repair",
            abstract: "Go on with a damaged ledger without what is lost, and record what that is.")
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let repair = try Home.open(at: try home.location()).repairLedger()
            if format.isJSON {
                Console.data([
                    "repaired": .bool(repair.entry != nil),
                    "lost": .array(repair.sentences.map(JSONValue.string)),
                    "kept": repair.kept.map(JSONValue.string) ?? .null,
                    "interrupted": .integer(Int64(repair.interrupted)),
                    "entry": repair.entry?.json ?? .null,
                ])
                return
            }
            if repair.interrupted > 0 {
                Console.data("\(repair.interrupted) runs whose process is gone were recorded as interrupted")
            }
            guard let entry = repair.entry else {
                Console.data(
                    repair.interrupted > 0
                        ? "the ledger is whole: nothing else was changed"
                        : "the ledger is whole: nothing was changed")
                return
            }
            for sentence in repair.sentences { Console.data(sentence) }
            Console.data("entry \(entry.sequence) of the ledger says so")
            if let kept = repair.kept {
                Console.say("the damaged log is kept as it was: \(kept)")
                Console.say("it may hold entries that you erase later: remove it when you need it no more")
            }
        }
    }
}

extension LedgerProof {
    /// What it proves, in words.
    var sentence: String {
        switch claim {
        case .inclusion(let sequence, _): "entry \(sequence) is there"
        case .consistency(let old, let root):
            "the ledger only grew since it had \(old) entries with root \(root)"
        }
    }
}

import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowManifest
import EscrowMinimisation

extension GrantCommand {
    struct List: Paged {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List your decisions; those that hold no more say why.")
        @Flag(help: "Print what they can be called, and nothing else.") var names = false
        @Flag(help: "Print the apps that they are about, and nothing else.") var apps = false
        @OptionGroup var paging: PagingOptions
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let store = try home.open().grants
            let grants = try store.list()
            guard !names else { return Console.names(grants.map(\.id)) }
            guard !apps else { return Console.names(Set(grants.map(\.app)).sorted()) }
            if format.isJSON {
                Console.data(["grants": .array(grants.map { $0.json(end: store.end(of: $0)) })])
            } else if grants.isEmpty {
                Console.say("you have decided nothing yet; escrow run asks on a terminal")
            } else {
                Console.table(
                    ["id", "state", "app", "plugin", "reads", "for", "decided", "last used", "uses"],
                    grants.map { grant in
                        [
                            grant.id, store.end(of: grant)?.rawValue ?? grant.stateText, grant.app,
                            "\(grant.plugin.id) \(grant.plugin.version)", grant.readsText,
                            grant.scope.words(used: grant.useCount),
                            grant.createdAt, grant.lastUsedAt ?? "never", String(grant.useCount),
                        ]
                    })
                for grant in grants where store.end(of: grant) == .unused {
                    Console.say(
                        "\(grant.id) was not used for 90 days, so it was reset: \(PlainText.neutral(grant.app)) is asked about anew"
                    )
                }
            }
        }
    }

    struct Show: Paged {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show one decision and all that it is bound to.")
        @Argument(help: "The decision's id.", completion: .grants) var id: String
        @OptionGroup var paging: PagingOptions
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let store = try home.open().grants
            let grant = try store.grant(id)
            let end = store.end(of: grant)
            if format.isJSON { return Console.data(grant.json(end: end)) }
            var rows = [
                ["id", grant.id],
                ["state", end.map { "\(grant.stateText), no more: \($0.rawValue)" } ?? grant.stateText],
                ["for", grant.scope.words(used: grant.useCount)], ["by", grant.reason.rawValue],
                ["app", grant.app], ["known by", grant.proof.words],
                ["plugin", "\(grant.plugin.id) \(grant.plugin.version)"],
                ["versions", grant.isPinned ? "this one alone" : grant.versions.words],
                ["manifest", grant.plugin.manifestDigest], ["signed by", grant.plugin.signerKeyID],
                ["purpose", "\(PlainText.neutral(grant.purpose.text)) (\(grant.purpose.code))"],
                ["reads", grant.readsText],
            ]
            if let parameters = grant.parameters {
                rows.append(["told", parameters.joined(separator: ", ")])
            }
            for (name, value) in grant.arguments.sorted(by: { $0.key < $1.key }) {
                rows.append(["with", "\(name)=\(value)"])
            }
            for table in grant.minimisation.words {
                rows.append(["but only", PlainText.neutral(table, longest: 600)])
            }
            for phrase in grant.limit?.phrases ?? [] { rows.append(["only", phrase]) }
            if let files = grant.files, !files.isEmpty {
                rows.append(["opens", files.joined(separator: ", ")])
            }
            for sentence in grant.sentences {
                rows.append(["sends", PlainText.whole(sentence)])
            }
            rows += [
                ["result", grant.resultDigest], ["goes to", grant.target], ["place", grant.place.words],
                ["decided", grant.createdAt],
            ]
            if let restoredAt = grant.restoredAt {
                rows.append([
                    "restored", "\(restoredAt), from a backup: it may have been taken back before that",
                ])
            }
            rows += [
                ["last used", grant.lastUsedAt ?? "never"],
                ["uses", String(grant.useCount)],
            ]
            Console.table(["what", "decision"], rows)
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Say where a dataflow stands and why, and what its app is told; asks nobody.")
        @OptionGroup var dataflow: DataflowOptions
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let host = try home.open()
            let decision = try dataflow.standing(host)
            if format.isJSON {
                Console.data([
                    "state": .string(decision.state.rawValue), "reason": .string(decision.reason.rawValue),
                    "why": .string(decision.why), "grant": decision.grant.map { .string($0.id) } ?? .null,
                    "told": .string(decision.shownState.rawValue),
                ])
            } else {
                Console.data("\(decision.state.rawValue) (\(decision.reason.rawValue)): \(decision.why)")
                Console.data("the app is told: \(decision.shownState.rawValue)")
            }
        }
    }
}

extension Grant {
    fileprivate var stateText: String {
        (looksEmpty ? "denied, as if empty" : state.rawValue) + (restoredAt == nil ? "" : ", restored")
    }

    /// What may be sent, a sentence each.
    fileprivate var sentences: [String] {
        self.reach.map { $0.egress.map(\.sentence) } ?? [
            "what it sent was not kept then; it holds for that version alone"
        ]
    }

    fileprivate var readsText: String {
        self.reads.map { "\($0.table)(\(($0.returned + $0.used).joined(separator: " ")))" }.joined(
            separator: " ")
    }

    /// The decision for `--format json`; `end` says why it holds no more.
    fileprivate func json(end: ConsentReason?) -> JSONValue {
        [
            "id": .string(id), "state": .string(state.rawValue), "scope": .string(scope.word),
            "reason": .string(reason.rawValue), "app": .string(self.app),
            "knownBy": .string(self.proof.rawValue), "plugin": .string(self.plugin.id),
            "version": .string(self.plugin.version), "manifest": .string(self.plugin.manifestDigest),
            "purpose": .string(self.purpose.code), "egress": .array(sentences.map(JSONValue.string)),
            "files": self.files.map { .array($0.map(JSONValue.string)) } ?? .null,
            "budget": budget.map {
                [
                    "bitsPerDay": $0.bitsPerDay.map { .integer(Int64($0)) } ?? .null,
                    "bytesPerDay": $0.bytesPerDay.map { .integer(Int64($0)) } ?? .null,
                ]
            } ?? .null,
            "reads": .array(self.reads.map(\.json)),
            "coarser": .array(self.minimisation.terms.map(JSONValue.string)),
            "identifiers": .array(self.identifiers.map { .string($0.rawValue) }),
            "target": .string(self.target), "place": .string(self.place.spelling),
            "createdAt": .string(createdAt),
            "lastUsedAt": lastUsedAt.map(JSONValue.string) ?? .null, "useCount": .integer(Int64(useCount)),
            "restoredAt": restoredAt.map(JSONValue.string) ?? .null,
            "for": .string(scope.words(used: useCount)), "versions": .string(versions.words),
            "pinned": .bool(isPinned),
            "limit": limit.map { .array($0.phrases.map(JSONValue.string)) } ?? .null,
            "looksEmpty": .bool(looksEmpty), "ended": end.map { .string($0.rawValue) } ?? .null,
        ]
    }
}

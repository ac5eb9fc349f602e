import EscrowTabular

/// Grades what a manifest asks for, for `escrow plugin check`: a help for authors, not a rule of the host.
public enum ManifestCheck {
    /// One permission, with a grade and why.
    public struct Finding: Sendable, Hashable {
        /// How the permission is to be seen.
        public let grade: Grade
        /// The permission, in a few words.
        public let permission: String
        /// Why it has this grade, and how to do with less.
        public let why: String
    }

    /// How a permission is to be seen (after Flatpak's linter).
    public enum Grade: String, Sendable, Hashable, CaseIterable {
        /// Ask for it freely.
        case fine
        /// Ask for it if the computation needs it.
        case asNeeded = "as needed"
        /// There is nearly always a way without it.
        case avoid
    }

    /// All findings about a manifest, in the order of its members.
    public static func lint(_ manifest: Manifest) -> [Finding] {
        reads(manifest) + assets(manifest) + identifiers(manifest) + rows(manifest) + result(manifest)
            + egress(manifest) + walls(manifest)
    }

    private static func reads(_ manifest: Manifest) -> [Finding] {
        manifest.accepts.reads.map { table in
            let name = "reads \(table.table): \(table.columns.joined(separator: ", "))"
            if table.columns.count > 8 {
                return Finding(
                    grade: .avoid, permission: name,
                    why:
                        "\(table.columns.count) columns of one table are hard to explain; name those that the result needs"
                )
            }
            return table.columns.count > 3
                ? Finding(
                    grade: .asNeeded, permission: name,
                    why: "people read each column; fewer are granted more often")
                : Finding(grade: .fine, permission: name, why: "few columns, each named")
        }
    }

    private static func identifiers(_ manifest: Manifest) -> [Finding] {
        manifest.parameters.identifiers.sorted().map { scope in
            let name = "is told the \(scope.rawValue) identifier"
            return switch scope {
            case .application:
                Finding(
                    grade: .asNeeded, permission: name,
                    why: "it links one app's runs; a result that needs no memory needs none")
            case .vendor:
                Finding(
                    grade: .avoid, permission: name,
                    why: "it links a person's apps with each other; \"application\" links none")
            case .advertising:
                Finding(grade: .avoid, permission: name, why: "it links a person across all who advertise")
            }
        }
    }

    private static func assets(_ manifest: Manifest) -> [Finding] {
        manifest.accepts.columns.filter { $0.type == .asset }.map { column in
            let name = "opens files: \(column.mediaTypes.joined(separator: ", "))"
            guard manifest.plugin.features.contains(.asset) else {
                return Finding(
                    grade: .avoid, permission: name,
                    why: "it never asks for one: \"asset\" is not among its features")
            }
            return Finding(
                grade: .asNeeded, permission: name, why: "a file holds more than the columns that describe it"
            )
        }
    }

    private static func rows(_ manifest: Manifest) -> [Finding] {
        let minimum = manifest.accepts.rows.minimum
        guard manifest.purpose.code == .aggregateStatistics || manifest.purpose.code == .research else {
            return []
        }
        return [
            minimum >= 10
                ? Finding(
                    grade: .fine, permission: "at least \(minimum) rows",
                    why: "a statistic of few rows tells about each of them")
                : Finding(
                    grade: .avoid,
                    permission: minimum == 0 ? "any number of rows" : "at least \(minimum) rows",
                    why:
                        "a statistic of few rows tells about each of them; set accepts.rows.min to 10 or more"
                )
        ]
    }

    private static func result(_ manifest: Manifest) -> [Finding] {
        let result = manifest.result
        let name =
            switch result.kind {
            case .text, .bytes: "returns up to \(result.allowance)"
            case .record, .table: "returns a \(result.kindWord) of up to \(result.allowance)"
            }
        switch result.kind {
        case .text, .bytes:
            return [
                Finding(
                    grade: .asNeeded, permission: name,
                    why: "the host cannot look into it; a record or a table with bounds says more to people")
            ]
        case .record, .table:
            let open = result.fields.filter { $0.type.isOpen }.map(\.name)
            guard open.isEmpty else {
                return [
                    Finding(
                        grade: .asNeeded, permission: name,
                        why:
                            "without bounds: \(open.joined(separator: ", ")); add min and max, decimals, oneOf or a shorter maxLength"
                    )
                ]
            }
            let free = result.fields.filter { $0.type.isFreeText }.map(\.name)
            guard free.isEmpty else {
                return [
                    Finding(
                        grade: .asNeeded, permission: name,
                        why:
                            "free text, which may say anything: \(free.joined(separator: ", ")); oneOf says less"
                    )
                ]
            }
            return [
                Finding(
                    grade: .fine, permission: name,
                    why: "every field has bounds, and the host writes it out again")
            ]
        }
    }

    private static func egress(_ manifest: Manifest) -> [Finding] {
        guard !manifest.egress.isEmpty else {
            return [Finding(grade: .fine, permission: "sends nothing", why: "nothing leaves but the result")]
        }
        return manifest.requests.map(sending) + moments(manifest)
            + manifest.effects.map {
                Finding(
                    grade: .asNeeded, permission: "may \($0.template.shown) (\($0.name))",
                    why: "it is seen on this device alone")
            }
    }

    private static func sending(_ endpoint: EgressEndpoint) -> Finding {
        let bits = Int(endpoint.capacityBits.rounded(.up))
        let name =
            "sends to \(endpoint.shownReceiver) (\(endpoint.name)): at most \(Capacity.words(bits)) a run"
        let tainted = endpoint.fields.filter { !$0.derivedFrom.isEmpty }.map(\.name)
        if !tainted.isEmpty {
            return Finding(
                grade: .avoid, permission: name,
                why:
                    "\(tainted.joined(separator: ", ")) carry the person's data away, the manifest says; let oneOf or rounding bound them"
            )
        }
        return bits > 64
            ? Finding(
                grade: .asNeeded, permission: name,
                why: "fields with oneOf carry far less and are granted more often")
            : Finding(grade: .fine, permission: name, why: "what it can carry is small and bounded")
    }

    /// When each of several requests leaves says something, where all could leave in one go.
    private static func moments(_ manifest: Manifest) -> [Finding] {
        let calls = manifest.requests.reduce(0) { $0 + $1.maxCalls }
        guard calls > 1, !EgressEndpoint.areTogether(manifest.egress) else { return [] }
        let bits = Int(TimeGrid.requests.bits)
        return [
            Finding(
                grade: .asNeeded, permission: "sends up to \(calls) requests, each when it asks for it",
                why:
                    "when each leaves carries \(bits) bits; if none needs the answer to another, \"together\": true sends all in one go"
            )
        ]
    }

    private static func profile(_ manifest: Manifest) -> Finding {
        switch manifest.profile {
        case .strict: Finding(grade: .fine, permission: "profile strict", why: "no files at all")
        case .runtime:
            Finding(
                grade: .asNeeded, permission: "profile runtime",
                why: "an interpreter needs its libraries; a static executable needs no file at all")
        case .native:
            Finding(
                grade: .avoid, permission: "profile native",
                why:
                    "nobody can read the machine code beside the script; a static executable has stricter walls"
            )
        }
    }

    private static func walls(_ manifest: Manifest) -> [Finding] {
        var findings = [profile(manifest)]
        if manifest.limits.memoryMiB > 256 || manifest.limits.wallSeconds > 120 {
            findings.append(
                Finding(
                    grade: .asNeeded,
                    permission: "\(manifest.limits.wallSeconds) s, \(manifest.limits.memoryMiB) MiB",
                    why: "read rows in a stream instead of collecting them"))
        }
        if manifest.defaultAccess == nil {
            findings.append(
                Finding(
                    grade: .asNeeded, permission: "no access of its own",
                    why: "with defaultAccess people can run it without an app, and see what it reads"))
        }
        return findings
    }
}

extension ResultType {
    /// Whether the type has no bounds to speak of.
    fileprivate var isOpen: Bool {
        switch self {
        case .integer(let range, let values):
            values == nil && range.lowerBound == .min && range.upperBound == .max
        case .real(let low, let high, let decimals): low == nil || high == nil || decimals == nil
        case .text(let length, let values): values == nil && length > 256
        case .boolean: false
        case .blob: true
        case .list(let item, _): item.isOpen
        }
    }
}

public import EscrowConsent
import EscrowDiagnostics
import EscrowMinimisation

/// What is typed at the question to serve less than is asked for: `limit`, for how long, and what, with `;` between.
///
///     limit without Contacts.phoneNumber
///     limit today coarser truncate(Contacts.phoneNumber, 6); where Contacts: familyName = 'Sample'
///     limit always record Contacts=c-1; record Contacts=c-2
///     limit first Photos.creationDate=100
enum LimitAnswer {
    case limit(GrantLimit, ScopeChoice)
    case refused(String)

    /// How it is typed.
    static let hint =
        "please type limit, then once, today or always, then what is served, with ; between, as in: "
        + example
        + "; or of: " + forms.joined(separator: ", ")

    /// A line with all parts.
    static let example = "limit today without TABLE.COLUMN; first TABLE=N"
    /// Each part, as it is typed.
    static let forms = [
        "without TABLE.COLUMN", "coarser TERM", "where TABLE: CONDITION", "record TABLE=ID", "first TABLE=N",
        "first TABLE.COLUMN=N",
    ]

    /// Reads a line; nil for one that does not begin with `limit`. Without a word for how long it is for this once. `description`
    /// is what is limited: tables that it does not read are refused, since a slip would serve all.
    static func read(_ line: String, for description: DataflowDescription) -> LimitAnswer? {
        let text = line.drop { $0 == " " }
        guard text.prefix(5).lowercased() == "limit",
            text.count == 5 || text.dropFirst(5).first?.isWhitespace == true
        else { return nil }
        var rest = text.dropFirst(5).trimmed
        var choice = ScopeChoice.once
        for (word, scope) in [("once", ScopeChoice.once), ("today", .today), ("always", .always)]
        where rest.lowercased().hasPrefix(word) && !Self.isWord(rest.dropFirst(word.count).first) {
            choice = scope
            rest = rest.dropFirst(word.count).trimmed
            // Nobody who sets a ; after it, too, means anything else.
            if rest.first == ";" || rest.first == "," { rest = rest.dropFirst().trimmed }
            break
        }
        guard let limit = limit(rest, description) else { return .refused(hint) }
        return .limit(limit, choice)
    }

    private static func limit(_ text: String, _ description: DataflowDescription) -> GrantLimit? {
        var limit = GrantLimit()
        var terms: [String] = []
        for part in text.split(separator: ";", omittingEmptySubsequences: false).map({ $0.trimmed }) {
            guard let space = part.firstIndex(of: " ") else { return nil }
            let what = part[space...].trimmed
            switch part[..<space].lowercased() {
            case "without": terms.append("drop(\(what))")
            case "coarser": terms.append(what)
            case "where":
                guard let (table, condition) = split(what, ":", description) else { return nil }
                let before = limit.rows[table]?.condition.map { "\($0) AND " } ?? ""
                limit.rows[table, default: .init()].condition = before + "(\(condition))"
            case "first":
                guard let mark = what.lastIndex(of: "="),
                    let (table, most) = GrantLimit.Rows.most(
                        what[..<mark].trimmed, what[what.index(after: mark)...].trimmed),
                    description.reads.contains(where: { $0.table == table })
                else { return nil }
                limit.rows[table, default: .init()].first = most.first
                limit.rows[table]?.newestBy = most.newestBy
            case "record":
                guard let (table, id) = split(what, "=", description) else { return nil }
                limit.rows[table, default: .init()].ids = (limit.rows[table]?.ids ?? []) + [id]
            default: return nil
            }
        }
        guard let coarser = try? Minimisation(parsing: terms) else { return nil }
        limit.coarser = coarser
        let isRead = coarser.tables.keys.allSatisfy { table in
            description.reads.contains { $0.table == table }
        }
        return isRead && !limit.isEmpty ? limit : nil
    }

    /// A table that is read, and what is served of it.
    private static func split(
        _ text: String, _ mark: Character, _ description: DataflowDescription
    ) -> (String, String)? {
        guard let place = text.firstIndex(of: mark) else { return nil }
        let table = text[..<place].trimmed
        let rest = text[text.index(after: place)...].trimmed
        guard !rest.isEmpty, description.reads.contains(where: { $0.table == table }) else { return nil }
        return (table, rest)
    }

    private static func isWord(_ letter: Character?) -> Bool {
        letter.map { $0.isLetter || $0.isNumber } ?? false
    }
}

extension ConsentAnswer {
    /// Reads a yes to less as it is typed at the question, `limit today without Contacts.phoneNumber`; nil for what is none.
    public static func limit(typed line: String, for description: DataflowDescription) -> ConsentAnswer? {
        guard case .limit(let limit, let choice) = LimitAnswer.read(line, for: description) else {
            return nil
        }
        return .limit(limit, choice)
    }
}

public import EscrowDiagnostics

extension Minimisation {
    /// Reads terms that name their tables, `round(Location.latitude, 1)`.
    public init(parsing terms: some Sequence<String>) throws(Diagnostic) {
        for text in terms {
            do throws(SpellingError) {
                try add(text, table: nil)
            } catch {
                throw Diagnostic(
                    .noCoarserColumn, "this is no way to serve data more coarsely: \(error.why)",
                    help: Self.forms)
            }
        }
    }

    /// The terms that there are, for messages.
    public static let forms =
        "round(Location.latitude, 1), deresolve(Location.timestamp, hour), truncate(Contacts.givenName, 1), "
        + "hash(Contacts.id, per-app), drop(Contacts.note), strip(Photos.asset), sample(Location, 0.1), aggregate(Location, 5)"

    public struct SpellingError: Error, Sendable {
        /// Half a sentence, without any of the text.
        public let why: String
    }

    /// Adds one term. With `table` it is about that table and names a column alone or nothing, as in a manifest;
    /// without, it names its table. Returns the column that the term is about, if it is about one.
    @discardableResult
    public mutating func add(_ text: String, table: String?) throws(SpellingError) -> String? {
        let (name, arguments) = try Self.split(text)
        var rest = arguments[...]
        func next(_ what: String) throws(SpellingError) -> String {
            guard let first = rest.popFirst() else { throw SpellingError(why: "\(name) lacks \(what)") }
            return String(first)
        }
        let place: (table: String, column: String?)
        switch name {
        case "sample", "aggregate":
            if let table {
                place = (table, nil)
            } else {
                place = (try Self.identifier(next("its table")), nil)
            }
            add(try Self.rule(name, next("its number"), &rest), to: place.table)
        case "round", "deresolve", "truncate", "hash", "drop", "strip":
            let column = try next("its column")
            if let table {
                place = (table, try Self.identifier(column))
            } else {
                let parts = column.split(separator: ".", omittingEmptySubsequences: false)
                guard parts.count == 2 else {
                    throw SpellingError(why: "\(name) names a column as Table.column")
                }
                place = (try Self.identifier(String(parts[0])), try Self.identifier(String(parts[1])))
            }
            let setting = name == "drop" || name == "strip" ? "" : try next("its second part")
            if let column = place.column {
                add(try Self.transform(name, setting), to: column, of: place.table)
            }
        default: throw SpellingError(why: "the technique is not known")
        }
        guard rest.isEmpty else { throw SpellingError(why: "\(name) has too many parts") }
        return place.column
    }

    /// `round(latitude, 1)` as its name and its parts.
    private static func split(_ text: String) throws(SpellingError) -> (String, [Substring]) {
        guard text.utf8.count <= 200, text.hasSuffix(")"), let open = text.firstIndex(of: "(") else {
            throw SpellingError(why: "it is not of the form name(...)")
        }
        let inner = text[text.index(after: open)...].dropLast()
        let parts = inner.split(separator: ",", omittingEmptySubsequences: false).map { part in
            part.drop { $0 == " " }
        }
        guard parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") && !$0.contains("(") }) else {
            throw SpellingError(why: "a part of it is empty or no single word")
        }
        return (String(text[..<open]), parts)
    }

    private static func identifier(_ text: String) throws(SpellingError) -> String {
        let bytes = text.utf8
        let isName =
            (1...64).contains(bytes.count)
            && bytes.allSatisfy {
                (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
                    || $0 == 0x5F
            } && !(0x30...0x39).contains(bytes.first ?? 0x30)
        guard isName else { throw SpellingError(why: "a table or column is no name") }
        return text
    }

    private static func rule(
        _ name: String, _ number: String, _ rest: inout ArraySlice<Substring>
    ) throws(SpellingError) -> RowRules {
        var rules = RowRules()
        if name == "aggregate" {
            rules.leastAlike = try integer(number, in: RowRules.groupRange, "the size of a group")
            return rules
        }
        guard let part = RowRules.millionths(number) else {
            throw SpellingError(why: "a sample is a decimal fraction such as 0.1, with at most six places")
        }
        switch rest.popFirst() {
        case nil: rules.recordsPerMillion = part
        case "person": rules.personsPerMillion = part
        default: throw SpellingError(why: "a sample is of records, or with \"person\" of persons")
        }
        return rules
    }

    private static func transform(_ name: String, _ setting: String) throws(SpellingError) -> ColumnTransform
    {
        var transform = ColumnTransform()
        switch name {
        case "round":
            transform.decimals = try integer(
                setting, in: ColumnTransform.decimalsRange, "the number of decimals")
        case "truncate":
            transform.length = try integer(
                setting, in: ColumnTransform.lengthRange, "the number of characters")
        case "deresolve":
            guard let resolution = ColumnTransform.Resolution(rawValue: setting) else {
                throw SpellingError(why: "deresolve goes to minute, hour, day, month or year")
            }
            transform.resolution = resolution
        case "hash":
            guard setting == "per-app" else { throw SpellingError(why: "hash is per-app") }
            transform.isHashed = true
        case "strip": transform.isStripped = true
        default: transform = .drop
        }
        return transform
    }

    private static func integer(
        _ text: String, in range: ClosedRange<Int>, _ what: String
    ) throws(SpellingError) -> Int {
        // One spelling for one number: no sign but "-", no leading zeros.
        guard let value = Int(text), String(value) == text, range.contains(value) else {
            throw SpellingError(
                why: "\(what) is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}

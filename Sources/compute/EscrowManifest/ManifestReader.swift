import EscrowDiagnostics
import EscrowJSON

/// Reads one object of a manifest, in a closed world, and turns every complaint into a ``Diagnostic`` with its place.
///
/// A thin layer over ``JSONObjectReader``: it adds the path of the object (`accepts.rows`), which people understand
/// better than a column number, and the codes of docs/spec/manifest.md.
struct ManifestReader {
    private var object: JSONObjectReader
    /// The object's place in words: empty at the top level, else for example `accepts.columns[2]`.
    let path: String
    /// The file as it is named in messages.
    let file: String

    init(_ node: JSONNode, path: String, file: String) throws(Diagnostic) {
        self.path = path
        self.file = file
        do { object = try JSONObjectReader(node) } catch { throw .manifest(error, path: path, file: file) }
    }

    /// Where the object begins.
    var position: JSONPosition { object.position }

    /// The path of a member.
    func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    mutating func optional(_ name: String) -> JSONNode? { object.optional(name) }

    mutating func required(_ name: String) throws(Diagnostic) -> JSONNode {
        do { return try object.required(name) } catch { throw .manifest(error, path: path, file: file) }
    }

    /// A nested object.
    mutating func object(_ name: String) throws(Diagnostic) -> ManifestReader {
        try ManifestReader(required(name), path: path(of: name), file: file)
    }

    /// A nested object that may be absent.
    mutating func optionalObject(_ name: String) throws(Diagnostic) -> ManifestReader? {
        guard let node = optional(name) else { return nil }
        return try ManifestReader(node, path: path(of: name), file: file)
    }

    /// Text without control characters, of 1 to `maximum` Unicode scalars.
    mutating func text(_ name: String, maximum: Int) throws(Diagnostic) -> String {
        try text(required(name), path: path(of: name), maximum: maximum)
    }

    mutating func optionalText(_ name: String, maximum: Int) throws(Diagnostic) -> String? {
        guard let node = optional(name) else { return nil }
        return try text(node, path: path(of: name), maximum: maximum)
    }

    func text(_ node: JSONNode, path: String, maximum: Int) throws(Diagnostic) -> String {
        let text = try string(node, path: path)
        guard !text.isEmpty else {
            throw failure(.textNotAllowed, "\"\(path)\" is empty", at: node)
        }
        guard text.unicodeScalars.count <= maximum else {
            throw failure(.textNotAllowed, "\"\(path)\" is longer than \(maximum) characters", at: node)
        }
        guard text.unicodeScalars.allSatisfy(\.isDisplayable) else {
            throw failure(
                .textNotAllowed, "\"\(path)\" holds a control or invisible character", at: node,
                help: "people are shown this text word for word; use visible characters on one line")
        }
        return text
    }

    /// Text that people read as a name or a sentence: it says something, and holds nothing that cannot be seen.
    mutating func sentence(_ name: String, maximum: Int) throws(Diagnostic) -> String {
        try sentence(required(name), path: path(of: name), maximum: maximum)
    }

    mutating func optionalSentence(_ name: String, maximum: Int) throws(Diagnostic) -> String? {
        guard let node = optional(name) else { return nil }
        return try sentence(node, path: path(of: name), maximum: maximum)
    }

    private func sentence(_ node: JSONNode, path: String, maximum: Int) throws(Diagnostic) -> String {
        let text = try text(node, path: path, maximum: maximum)
        guard Spelling.isSentence(text) else {
            throw failure(
                .textNotAllowed, "\"\(path)\" has no letter and no digit, or signs that cannot be seen",
                at: node,
                help: "people read it before they decide; write it with letters that they can see")
        }
        return text
    }

    /// A string without further rules.
    func string(_ node: JSONNode, path: String) throws(Diagnostic) -> String {
        do { return try node.requireString() } catch { throw .manifest(error, path: path, file: file) }
    }

    func integer(_ node: JSONNode, path: String, in range: ClosedRange<Int64>) throws(Diagnostic) -> Int64 {
        let value: Int64
        do { value = try node.requireInteger() } catch { throw .manifest(error, path: path, file: file) }
        guard range.contains(value) else {
            throw failure(
                .numberOutOfRange,
                "\"\(path)\" must be a whole number from \(range.lowerBound) to \(range.upperBound)",
                at: node)
        }
        return value
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int64>) throws(Diagnostic) -> Int64 {
        try integer(required(name), path: path(of: name), in: range)
    }

    mutating func optionalInteger(_ name: String, in range: ClosedRange<Int64>) throws(Diagnostic) -> Int64? {
        guard let node = optional(name) else { return nil }
        return try integer(node, path: path(of: name), in: range)
    }

    mutating func optionalReal(_ name: String) throws(Diagnostic) -> Double? {
        guard let node = optional(name) else { return nil }
        do { return try node.requireReal() } catch {
            throw .manifest(error, path: path(of: name), file: file)
        }
    }

    mutating func optionalBool(_ name: String) throws(Diagnostic) -> Bool? {
        guard let node = optional(name) else { return nil }
        do { return try node.requireBool() } catch {
            throw .manifest(error, path: path(of: name), file: file)
        }
    }

    /// A list of at most `maximum` items; absent means none.
    mutating func list(_ name: String, maximum: Int) throws(Diagnostic) -> [JSONNode] {
        guard let node = optional(name) else { return [] }
        return try list(node, path: path(of: name), maximum: maximum)
    }

    func list(_ node: JSONNode, path: String, maximum: Int) throws(Diagnostic) -> [JSONNode] {
        let items: [JSONNode]
        do { items = try node.requireArray() } catch { throw .manifest(error, path: path, file: file) }
        guard items.count <= maximum else {
            throw failure(
                .listEmptyOrTooLong, "\"\(path)\" lists \(items.count) items; at most \(maximum) are allowed",
                at: node)
        }
        return items
    }

    /// A map from names that the author chose: at most `maximum` members.
    func map(_ node: JSONNode, path: String, maximum: Int) throws(Diagnostic) -> [JSONNode.Member] {
        let members: [JSONNode.Member]
        do { members = try node.requireMembers() } catch { throw .manifest(error, path: path, file: file) }
        guard members.count <= maximum else {
            throw failure(
                .listEmptyOrTooLong,
                "\"\(path)\" lists \(members.count) members; at most \(maximum) are allowed",
                at: node)
        }
        return members
    }

    /// A word from a closed list.
    func word<Word: RawRepresentable & CaseIterable>(_ node: JSONNode, path: String) throws(Diagnostic)
        -> Word
    where Word.RawValue == String {
        let text = try string(node, path: path)
        // To Swift the Kelvin sign equals a K; to whoever else reads the manifest it is another word.
        if let word = Word(rawValue: text), word.rawValue.utf8.elementsEqual(text.utf8) { return word }
        let known = Word.allCases.map(\.rawValue)
        let nearest = known.min { EditDistance.between($0, text) < EditDistance.between($1, text) }
        let hint = nearest.flatMap {
            EditDistance.between($0, text) <= max(1, text.utf8.count / 3) ? "did you mean \"\($0)\"? " : nil
        }
        throw failure(
            .wordNotInList, "\"\(path)\" is none of the words that are allowed here", at: node,
            help: (hint ?? "") + "allowed: \(known.joined(separator: ", "))")
    }

    mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String) throws(Diagnostic) -> Word
    where Word.RawValue == String {
        try word(required(name), path: path(of: name))
    }

    mutating func optionalWord<Word: RawRepresentable & CaseIterable>(
        _ name: String
    ) throws(Diagnostic) -> Word? where Word.RawValue == String {
        guard let node = optional(name) else { return nil }
        return try word(node, path: path(of: name))
    }

    /// A name of a column, table, field or parameter: what SQL and every language take without quoting.
    func identifier(_ node: JSONNode, path: String) throws(Diagnostic) -> String {
        let text = try string(node, path: path)
        try checkIdentifier(text, path: path, at: node.position)
        return text
    }

    func checkIdentifier(_ text: String, path: String, at position: JSONPosition) throws(Diagnostic) {
        guard text != "*" else {
            throw failure(
                .wildcard, "\"\(path)\" is a wildcard", at: position,
                help: "there are none: name each table and column, so that people see what is read")
        }
        guard Spelling.isIdentifier(text) else {
            throw failure(
                .notAName, "\"\(path)\" is not a name", at: position,
                help: "a name is a letter or \"_\", then letters, digits or \"_\", at most 64 characters")
        }
    }

    /// Refuses a name that stands twice, also when only the case of its letters differs: SQL folds case.
    func checkUnique(_ names: [String], path: String, at node: JSONNode) throws(Diagnostic) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name.lowercased()).inserted {
            throw failure(.namedTwice, "\"\(path)\" names \"\(name)\" twice", at: node)
        }
    }

    /// Refuses whatever was not asked for.
    func finish() throws(Diagnostic) {
        do { try object.finish() } catch { throw .manifest(error, path: path, file: file) }
    }

    /// Drops `x-…` members.
    mutating func ignoreNotes() { object.ignoreNotes() }

    func failure(
        _ code: Diagnostic.Code, _ message: String, at node: JSONNode, help: String? = nil
    ) -> Diagnostic { failure(code, message, at: node.position, help: help) }

    func failure(
        _ code: Diagnostic.Code, _ message: String, at position: JSONPosition, help: String? = nil
    ) -> Diagnostic {
        Diagnostic(
            code, message, at: .init(file: file, line: position.line, column: position.column), help: help)
    }
}

extension Diagnostic {
    /// A complaint of the JSON reader about a manifest.
    static func manifest(_ error: JSONError, path: String, file: String) -> Diagnostic {
        let place = Place(file: file, line: error.position.line, column: error.position.column)
        let within = path.isEmpty ? "at the top level" : "in \"\(path)\""
        switch error.reason {
        case .unknownMember(let name, let suggestion):
            let why =
                "unknown members are refused because a typo in a restriction would otherwise switch it off"
            return Diagnostic(
                .unknownMember, "unknown member \"\(Spelling.quotable(name))\" \(within)", at: place,
                help: suggestion.map { "did you mean \"\($0)\"?   (\(why))" } ?? "remove it; \(why)")
        case .missingMember(let name):
            return Diagnostic(
                .missingMember, "member \"\(name)\" is missing \(within)", at: place,
                help: "`escrow explain E0103` lists what a manifest must have")
        case .wrongType(let expected):
            return Diagnostic(
                .wrongType, path.isEmpty ? "expected \(expected)" : "\"\(path)\" must be \(expected)",
                at: place)
        case .duplicateMember(let name, let line):
            return Diagnostic(
                .memberTwice,
                "\"\(Spelling.quotable(name))\" appears twice (lines \(line) and \(error.position.line))",
                at: place,
                notes: [
                    "different JSON readers keep different ones; a reviewer could see other permissions than the host"
                ])
        default:
            return Diagnostic(.notStrictJSON, "not strict JSON: \(error.impersonalMessage)", at: place)
        }
    }
}

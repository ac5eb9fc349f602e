internal import EscrowDiagnostics

/// What the text of a statement must look like before SQLite sees it.
///
/// SQLite and its authorizer refuse most of this again; said here, the message can name the rule. NATURAL and USING
/// are refused here alone: both read columns without asking the authorizer (SQLite 3.40.1, resolve.c).
struct StatementRules {
    /// The longest SQL text in bytes.
    static let maximumLength = 65_536
    /// What every refusal says is allowed.
    static let allowed = "access() is one read-only SELECT over the escrow's tables"

    let tokens: TokenList

    init(_ sql: String) throws(Diagnostic) {
        guard sql.utf8.count <= Self.maximumLength else {
            throw Diagnostic(
                .sqlTooLarge, "the SQL is longer than \(Self.maximumLength) bytes",
                help: "pass long values as :name parameters")
        }
        guard !sql.utf8.contains(0) else {
            throw Diagnostic(.sqlNotUnderstood, "the SQL holds a NUL byte", help: Self.allowed)
        }
        tokens = TokenList(sql)
        try checkStart()
        try checkEnd()
        for token in tokens.tokens { try check(token) }
    }

    private func checkStart() throws(Diagnostic) {
        guard let first = tokens.tokens.first else {
            throw Diagnostic(.notASelect, "the SQL is empty", help: Self.allowed)
        }
        let keyword = tokens.keyword(first)
        guard keyword == "SELECT" || keyword == "WITH" else {
            let what = keyword.flatMap { Self.statements.contains($0) ? $0 : nil } ?? "something else"
            throw Diagnostic(
                .notASelect, "the statement is \(what), not SELECT", notes: [place(first)], help: Self.allowed
            )
        }
    }

    private func checkEnd() throws(Diagnostic) {
        guard let end = tokens.tokens.firstIndex(where: { $0.kind == .semicolon }) else { return }
        guard let next = tokens.tokens[end...].first(where: { $0.kind != .semicolon }) else { return }
        throw Diagnostic(
            .secondStatement, "there is a second statement after the semicolon", notes: [place(next)],
            help: Self.allowed)
    }

    private func check(_ token: Token) throws(Diagnostic) {
        if tokens.isKeyword(token, "NATURAL", "USING") {
            let join = tokens.keyword(token) == "USING" ? "JOIN ... USING" : "NATURAL JOIN"
            throw Diagnostic(
                .naturalOrUsing, "\(join) is not allowed: it reads columns that the query does not name",
                notes: [place(token)], help: "write JOIN ... ON a.id = b.id; \(Self.allowed)")
        }
        if tokens.isKeyword(token, "RECURSIVE") {
            throw Diagnostic(
                .recursiveQuery, "recursive queries are not allowed", notes: [place(token)],
                help: Self.allowed)
        }
        guard token.kind == .parameter else { return }
        let bytes = tokens.bytes[token.range]
        guard bytes.first == UInt8(ascii: ":"), !bytes.contains(UInt8(ascii: "$")) else {
            throw Diagnostic(
                .parameterForm, "a parameter is written in another form than :name", notes: [place(token)],
                help: "write :name and pass the value by that name")
        }
    }

    /// Whether the statement has a WITH and names a table so; asked for names that are none of the schema's.
    func definesTable(_ name: String) -> Bool {
        guard tokens.tokens.contains(where: { tokens.isKeyword($0, "WITH") }) else { return false }
        return tokens.tokens.contains {
            let text = tokens.text($0).lowercased()
            return $0.kind == .word && text == name.lowercased()
                || $0.kind == .quoted && text.dropFirst().dropLast() == name.lowercased()
        }
    }

    /// Whether two SELECTs are put together anywhere in the statement, as VALUES of two rows are too. SQLite then tells the
    /// origin of a result column by one of them alone, so no origin may be believed.
    var isCompound: Bool {
        tokens.tokens.contains { tokens.isKeyword($0, "UNION", "INTERSECT", "EXCEPT", "VALUES") }
    }

    private func place(_ token: Token) -> String { place(offset: token.range.lowerBound) }

    /// "line 1, column 8 of the SQL".
    func place(offset: Int) -> String {
        let position = tokens.position(of: offset)
        return "line \(position.line), column \(position.column) of the SQL"
    }

    /// Whether a word in double quotes begins there.
    func isDoubleQuoted(at offset: Int) -> Bool {
        tokens.bytes.indices.contains(offset) && tokens.bytes[offset] == UInt8(ascii: "\"")
    }

    /// Keywords that a statement can begin with, which a message may repeat.
    private static let statements: Set<String> = [
        "ALTER", "ANALYZE", "ATTACH", "BEGIN", "COMMIT", "CREATE", "DELETE", "DETACH", "DROP", "END",
        "EXPLAIN", "INSERT", "PRAGMA", "REINDEX", "RELEASE", "REPLACE", "ROLLBACK", "SAVEPOINT", "UPDATE",
        "VACUUM", "VALUES",
    ]
}

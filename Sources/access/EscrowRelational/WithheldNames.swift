internal import EscrowDiagnostics
internal import EscrowSchema

/// Makes sure that a statement means the same whatever was granted.
///
/// A column that was not granted does not exist, and SQL resolves a name that the innermost table lacks further out: in
/// `WHERE phone NOT IN (SELECT phone FROM Blocked)` the inner `phone` would silently become the outer one when
/// `Blocked.phone` is withheld. So where the statement names a withheld column, it is planned once more with the withheld
/// columns visible, and must not read them.
enum WithheldNames {
    /// Checks a statement that could be prepared with the granted columns.
    static func check(_ sql: String, _ session: Session) throws(Diagnostic) {
        guard session.tables.contains(where: { !$0.withheld.isEmpty }) else { return }
        let names = identifiers(session.rules.tokens)
        let isNamed = session.tables.contains { table in
            table.withheld.contains { names[table.spec.columns[$0].name.lowercased()] != nil }
        }
        guard isNamed else { return }
        let whole = Session(
            rules: session.rules, governor: session.governor, pushdown: [], assets: session.assets)
        whole.hash = session.hash
        whole.tables = session.tables.map { VirtualTable(unhiding: $0, session: whole) }
        _ = try Connection(sql, session: whole)
        for table in session.tables {
            for position in table.withheld {
                let name = table.spec.columns[position].name
                guard whole.used.contains(ColumnRef(table: table.spec.name, column: name)) else { continue }
                let place = names[name.lowercased()].map { session.rules.place(offset: $0) }
                throw PrepareErrors.withheld(table.spec.name, name, place.map { [$0] } ?? [])
            }
        }
    }

    /// Every word that may be a name, in small letters and without quotes, and where it first stands.
    private static func identifiers(_ list: TokenList) -> [String: Int] {
        var names: [String: Int] = [:]
        for token in list.tokens {
            var name = list.text(token).lowercased()
            switch token.kind {
            case .word: break
            case .quoted:
                let quote = name.first == "[" ? "]" : String(name.prefix(1))
                name = String(name.dropFirst().dropLast()).replacing(quote + quote, with: quote)
            default: continue
            }
            if names[name] == nil { names[name] = token.range.lowerBound }
        }
        return names
    }
}

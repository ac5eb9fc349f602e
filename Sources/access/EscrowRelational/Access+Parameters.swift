extension Access {
    /// The names of the `:name` parameters in a query, each once, in order; nothing is prepared.
    public static func parameterNames(in sql: String) -> [String] {
        let list = TokenList(sql)
        var names: [String] = []
        for token in list.tokens where token.kind == .parameter {
            let name = String(list.text(token).dropFirst())
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        return names
    }
}

import EscrowDiagnostics

/// Where a field stands in a JSON body: names with dots between them. A number is a place in a list; `*` stands for every
/// place of a list, and the values of all lists under it stand side by side: `keys.*.data`.
public enum BodyPath {
    /// Its parts.
    public static func parts(_ wireName: String) -> [String] {
        wireName.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// Whether a text is one: some services name members with a `$`.
    static func isPath(_ text: String) -> Bool {
        guard text.utf8.count <= 200 else { return false }
        let parts = Self.parts(text)
        return parts.count <= 8 && !isNumber(parts[0]) && parts[0] != "*"
            && parts.filter { $0 == "*" }.count <= 1
            && parts.allSatisfy { part in
                part == "*" || isNumber(part)
                    || Spelling.isIdentifier(String(part.hasPrefix("$") ? part.dropFirst() : part[...]))
            }
    }

    /// A place in a list, of eight at most.
    static func isNumber(_ part: String) -> Bool { part.utf8.count == 1 && ("0"..."7").contains(part) }

    /// The fields make one value: none stands within another, lists have all their places, and what is under `*` is a list.
    static func check(_ fields: [EgressField], _ reader: borrowing ManifestReader) throws(Diagnostic) {
        let all = fields.map { parts($0.wireName)[...] }
        for field in fields where parts(field.wireName).contains("*") != (field.most != nil && field.isSpread)
        {
            throw reader.failure(
                .membersContradict, "\"\(reader.path).fields.\(field.name)\" has a \"*\" and is no list",
                at: reader.position, help: "\"list\": the most values of it")
        }
        guard isOneValue(all) else {
            throw reader.failure(
                .membersContradict, "the fields in the body of \"\(reader.path)\" do not make one value",
                at: reader.position,
                help: "no member may also be a value, and places of a list are numbered 0, 1, 2 in order")
        }
    }

    private static func isOneValue(_ paths: [ArraySlice<String>]) -> Bool {
        guard paths.contains(where: { !$0.isEmpty }) else { return paths.count <= 1 }
        guard paths.allSatisfy({ !$0.isEmpty }) else { return false }
        var heads: [String] = []
        for path in paths where heads.last != path[path.startIndex] { heads.append(path[path.startIndex]) }
        guard Set(heads).count == heads.count else { return false }
        if heads.contains("*") {
            guard heads.count == 1 else { return false }
        } else if heads.contains(where: isNumber) {
            guard heads == heads.indices.map(String.init) else { return false }
        }
        return heads.allSatisfy { head in
            isOneValue(paths.filter { $0[$0.startIndex] == head }.map { $0.dropFirst() })
        }
    }
}

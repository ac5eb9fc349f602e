/// Plugin ids and the patterns that trust stores match them with.
public enum PluginID {
    /// Whether a text is a plugin id: labels of `a-z`, `0-9` and `-`, joined by dots, two at least, 128 bytes at most.
    /// A label neither begins nor ends with `-`.
    public static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= 128 else { return false }
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2 else { return false }
        return labels.allSatisfy { label in
            guard let first = label.first, let last = label.last, first != 0x2D, last != 0x2D else {
                return false
            }
            return label.count <= 63
                && label.allSatisfy { Spelling.isLowercase($0) || Spelling.isDigit($0) || $0 == 0x2D }
        }
    }

    /// Whether a text is a pattern: an id, or whole labels followed by `.*`; a lone `*` is none.
    public static func isPattern(_ text: String) -> Bool {
        guard text.hasSuffix(".*") else { return isValid(text) }
        let stem = text.dropLast(2)
        // One label is enough before the star (`example.*`), so the id grammar is tried with a second one added.
        return isValid("\(stem).x")
    }

    /// Whether a pattern covers an id. `org.example.*` covers `org.example.a` and `org.example.a.b`, not `org.example`
    /// and not `org.example-evil.a`.
    public static func matches(pattern: String, _ id: String) -> Bool {
        guard pattern.hasSuffix(".*") else { return pattern.utf8.elementsEqual(id.utf8) }
        let stem = Array(pattern.utf8.dropLast(1))
        return id.utf8.count > stem.count && id.utf8.starts(with: stem)
    }

    /// The last label: `phone-check` for `org.example.phone-check`.
    public static func shortName(_ id: String) -> String {
        id.split(separator: ".").last.map(String.init) ?? id
    }
}

extension JSONValue {
    /// Whether `JSONParser` reads the same value again once it is written. A no proves nothing: write what is unusual, and
    /// read it.
    public func isPlain(within limits: JSONParser.Limits) -> Bool {
        var left = limits.values
        return isPlain(depth: limits.depth, &left)
    }

    private func isPlain(depth: Int, _ left: inout Int) -> Bool {
        left -= 1
        guard depth >= 0, left >= 0 else { return false }
        switch self {
        case .null, .bool, .integer: return true
        // What is not finite has no spelling.
        case .real(let number): return number.isFinite
        case .string(let text): return Self.isPlain(text)
        case .array(let items): return items.allSatisfy { $0.isPlain(depth: depth - 1, &left) }
        case .object(let members):
            // Names are compared one by one.
            guard members.count <= 64 else { return false }
            for (index, member) in members.enumerated() {
                guard Self.isPlain(member.name), member.value.isPlain(depth: depth - 1, &left),
                    !members[..<index].contains(where: { $0.name.utf8.elementsEqual(member.name.utf8) })
                else { return false }
            }
            return true
        }
    }

    /// NUL is the one letter that is not read.
    private static func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { !$0.contains(0) }
    }
}

/// Reads an object in a closed world: every member is asked for by name, and what nobody asked for is an error.
///
///     var object = try JSONObjectReader(node)
///     let id = try object.required("id").requireString()
///     let note = try object.optional("note")?.requireString()
///     try object.finish()
public struct JSONObjectReader {
    /// Where the object begins.
    public let position: JSONPosition
    private var members: [JSONNode.Member]
    private var asked: [String] = []

    /// Takes a value that must be an object.
    public init(_ node: JSONNode) throws(JSONError) {
        guard case .object(let members) = node.content else {
            throw JSONError(.wrongType(expected: "an object"), at: node.position)
        }
        self.members = members
        position = node.position
    }

    /// The member of that name, or nil. Names compare byte for byte: Swift's `==` would take the Kelvin sign for a K.
    public mutating func optional(_ name: String) -> JSONNode? {
        asked.append(name)
        guard let index = members.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            return nil
        }
        return members.remove(at: index).value
    }

    /// The member of that name, which must be there.
    public mutating func required(_ name: String) throws(JSONError) -> JSONNode {
        guard let node = optional(name) else { throw JSONError(.missingMember(name), at: position) }
        return node
    }

    /// Reads the member `schema`, which must be this word.
    public mutating func requireSchema(_ name: String) throws(JSONError) {
        let node = try required("schema")
        guard try node.requireString() == name else {
            throw JSONError(.wrongType(expected: "\"\(name)\""), at: node.position)
        }
    }

    /// Drops members whose names begin with `x-`: notes that mean nothing.
    public mutating func ignoreNotes() { members.removeAll { $0.name.hasPrefix("x-") } }

    /// Refuses whatever was not asked for.
    public func finish() throws(JSONError) {
        guard let member = members.first else { return }
        let nearest = asked.min {
            EditDistance.between($0, member.name) < EditDistance.between($1, member.name)
        }
        let suggestion = nearest.flatMap {
            EditDistance.between($0, member.name) <= max(1, member.name.count / 3) ? $0 : nil
        }
        throw JSONError(.unknownMember(member.name, suggestion: suggestion), at: member.position)
    }
}

extension JSONNode {
    /// A list of texts, or an error that names this place.
    public func requireStrings() throws(JSONError) -> [String] {
        var texts: [String] = []
        for item in try requireArray() { texts.append(try item.requireString()) }
        return texts
    }
    /// The text, or an error that names this place.
    public func requireString() throws(JSONError) -> String {
        guard case .string(let value) = content else { throw wrongType("a string") }
        return value
    }
    /// One of a closed list of words, or an error that lists them.
    public func requireWord<Word: RawRepresentable & CaseIterable>(
        _: Word.Type = Word.self
    ) throws(JSONError) -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: try requireString()) else {
            throw JSONError(
                .wrongType(expected: "one of " + Word.allCases.map(\.rawValue).joined(separator: ", ")),
                at: position)
        }
        return word
    }
    /// The whole number, or an error.
    public func requireInteger() throws(JSONError) -> Int64 {
        guard case .integer(let value) = content else { throw wrongType("a whole number") }
        return value
    }
    /// The number, or an error.
    public func requireReal() throws(JSONError) -> Double {
        switch content {
        case .integer(let value): return Double(value)
        case .real(let value): return value
        default: throw wrongType("a number")
        }
    }
    /// The truth value, or an error.
    public func requireBool() throws(JSONError) -> Bool {
        guard case .bool(let value) = content else { throw wrongType("true or false") }
        return value
    }
    /// The items, or an error.
    public func requireArray() throws(JSONError) -> [JSONNode] {
        guard case .array(let value) = content else { throw wrongType("an array") }
        return value
    }
    /// The members, or an error.
    public func requireMembers() throws(JSONError) -> [Member] {
        guard case .object(let value) = content else { throw wrongType("an object") }
        return value
    }
    private func wrongType(_ expected: String) -> JSONError {
        JSONError(.wrongType(expected: expected), at: position)
    }
}

internal import EscrowJSON

extension Stamp {
    var json: JSONValue { .array([.integer(time), .integer(count), .string(writer)]) }

    init(_ node: JSONNode) throws {
        let parts = try node.requireArray()
        guard parts.count == 3 else { throw GroupError.malformed }
        time = try parts[0].requireInteger()
        count = try parts[1].requireInteger()
        writer = try parts[2].requireString()
        // What is kept is read, whatever it is: one that was written and is refused later would lock its writer out.
        guard 0 <= time, 0 <= count else { throw GroupError.malformed }
    }
}

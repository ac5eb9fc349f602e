internal import EscrowJSON

extension Stamp {
    var json: JSONValue { .array([.integer(time), .integer(count), .string(writer)]) }

    init(_ node: JSONNode) throws {
        let parts = try node.requireArray()
        guard parts.count == 3 else { throw GroupError.malformed }
        time = try parts[0].requireInteger()
        count = try parts[1].requireInteger()
        writer = try parts[2].requireString()
        // Room for every stamp that is to come after it.
        guard 0 <= time, time <= 1 << 60, 0 <= count, count <= 1 << 60 else { throw GroupError.malformed }
    }
}

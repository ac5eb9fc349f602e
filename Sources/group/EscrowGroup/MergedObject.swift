internal import EscrowJSON

/// What is known of one object: last-writer registers and observed-remove sets. Merging is commutative, associative and
/// idempotent, so the order in which versions come says nothing.
struct MergedObject: Sendable, Equatable {
    struct Register: Sendable, Equatable {
        let stamp: Stamp
        /// Nil when it was taken out; an empty array says that the elements beside are its value.
        let value: JSONValue?
    }

    private(set) var isDeleted = false
    /// The newest writing of each member that is in here. An element that is missing though its writing is covered was removed.
    private var seen: [String: Stamp] = [:]
    private var registers: [String: Register] = [:]
    /// Of each array the elements, as JSON text, with the writings that added them.
    private var sets: [String: [String: Set<Stamp>]] = [:]

    static let deleted: MergedObject = {
        var object = MergedObject()
        object.isDeleted = true
        return object
    }()

    var stamps: [Stamp] { Array(seen.values) }

    private static func text(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.line(value), as: UTF8.self)
    }

    private static func parse(_ text: String) throws(GroupError) -> JSONNode {
        do { return try JSONParser.parse(text, limits: .init(bytes: 16 << 20)) } catch { throw .malformed }
    }

    // MARK: The app's side

    /// The object as JSON text, its members by name; nil when there is none.
    var object: String? {
        guard !isDeleted, !registers.isEmpty else { return nil }
        let members = registers.sorted { $0.key < $1.key }.compactMap { name, register in
            register.value.map { value -> (name: String, value: JSONValue) in
                guard value.array != nil else { return (name, value) }
                let elements = (sets[name] ?? [:]).keys.sorted()
                return (name, .array(elements.compactMap { try? Self.parse($0).value }))
            }
        }
        return Self.text(.object(members))
    }

    /// Notes what differs from before.
    mutating func write(_ object: String, _ stamp: Stamp) throws(GroupError) {
        guard let members = try Self.parse(object).value.members else { throw .malformed }
        seen[stamp.writer] = stamp
        for (name, value) in members {
            let plain: JSONValue = value.array == nil ? value : []
            if registers[name]?.value != plain { registers[name] = Register(stamp: stamp, value: plain) }
            setElements(of: name, value.array ?? [], stamp)
        }
        let names = Set(members.map(\.name))
        for (name, register) in registers where !names.contains(name) && register.value != nil {
            registers[name] = Register(stamp: stamp, value: nil)
            sets[name] = nil
        }
    }

    private mutating func setElements(of name: String, _ elements: [JSONValue], _ stamp: Stamp) {
        let before = sets[name] ?? [:]
        var after: [String: Set<Stamp>] = [:]
        for element in elements.map(Self.text) { after[element] = before[element] ?? [stamp] }
        sets[name] = after.isEmpty ? nil : after
    }

    /// Puts what is kept and too far ahead behind everything else, the same at every member: the others would refuse an object
    /// with it, and nothing could be written after it.
    mutating func settle(at now: Int64) {
        guard !seen.values.allSatisfy({ $0.isNear(now) }) else { return }
        func settled(_ stamp: Stamp) -> Stamp {
            stamp.isNear(now) ? stamp : Stamp(time: 0, count: 0, writer: stamp.writer)
        }
        registers = registers.mapValues { Register(stamp: settled($0.stamp), value: $0.value) }
        sets = sets.mapValues { $0.mapValues { Set($0.map(settled)) } }
        seen = seen.mapValues(settled)
        // Of a writer whose newest is forgotten the newest that is left is covered.
        for stamp in registers.values.map(\.stamp) + sets.values.flatMap({ $0.values.joined() }) {
            seen[stamp.writer] = max(seen[stamp.writer] ?? stamp, stamp)
        }
    }

    // MARK: The others' side

    mutating func merge(_ other: MergedObject) {
        guard !isDeleted, !other.isDeleted else {
            self = .deleted
            return
        }
        for name in Set(sets.keys).union(other.sets.keys) {
            let merged = merged(sets[name] ?? [:], other.sets[name] ?? [:], other)
            sets[name] = merged.isEmpty ? nil : merged
        }
        registers.merge(other.registers) { $0.stamp < $1.stamp ? $1 : $0 }
        seen.merge(other.seen) { max($0, $1) }
    }

    private func merged(
        _ mine: [String: Set<Stamp>], _ theirs: [String: Set<Stamp>], _ other: MergedObject
    ) -> [String: Set<Stamp>] {
        var result: [String: Set<Stamp>] = [:]
        for element in Set(mine.keys).union(theirs.keys) {
            let (left, right) = (mine[element] ?? [], theirs[element] ?? [])
            let stamps = left.intersection(right)
                .union(left.subtracting(right).filter { !other.covers($0) })
                .union(right.subtracting(left).filter { !covers($0) })
            if !stamps.isEmpty { result[element] = stamps }
        }
        return result
    }

    private func covers(_ stamp: Stamp) -> Bool { seen[stamp.writer].map { stamp <= $0 } ?? false }

    // MARK: As text

    var content: String {
        if isDeleted { return "{}" }
        let values = registers.sorted { $0.key < $1.key }.map { name, register -> (String, JSONValue) in
            let value = register.value.map { [(name: "value", value: $0)] } ?? []
            return (name, .object([("at", register.stamp.json)] + value))
        }
        let sets = sets.sorted { $0.key < $1.key }.map { name, elements -> (String, JSONValue) in
            (
                name,
                .array(
                    elements.sorted { $0.key < $1.key }.map { element, stamps in
                        .object([
                            ("element", .string(element)), ("at", .array(stamps.sorted().map(\.json))),
                        ])
                    })
            )
        }
        return Self.text([
            "seen": .array(seen.values.sorted().map(\.json)), "values": .object(values.map { ($0, $1) }),
            "sets": .object(sets.map { ($0, $1) }),
        ])
    }

    init() {}

    init(_ content: String) throws(GroupError) {
        do throws(any Error) {
            var reader = try JSONObjectReader(Self.parse(content))
            for node in try reader.required("seen").requireArray() {
                let stamp = try Stamp(node)
                guard seen.updateValue(stamp, forKey: stamp.writer) == nil else { throw GroupError.malformed }
            }
            for member in try reader.required("values").requireMembers() {
                var register = try JSONObjectReader(member.value)
                registers[member.name] = Register(
                    stamp: try Stamp(register.required("at")), value: register.optional("value")?.value)
                try register.finish()
            }
            for member in try reader.required("sets").requireMembers() {
                for node in try member.value.requireArray() {
                    var element = try JSONObjectReader(node)
                    // One spelling for each element.
                    let text = Self.text(try Self.parse(element.required("element").requireString()).value)
                    let stamps = try element.required("at").requireArray().map { try Stamp($0) }
                    try element.finish()
                    sets[member.name, default: [:]][text, default: []].formUnion(stamps)
                }
            }
            try reader.finish()
            // What is in here is seen: else a merge would let it go and come back.
            let all = registers.values.map(\.stamp) + sets.values.flatMap { $0.values.flatMap { $0 } }
            guard all.allSatisfy(covers) else { throw GroupError.malformed }
        } catch {
            throw .malformed
        }
    }
}

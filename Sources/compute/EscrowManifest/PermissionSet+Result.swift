extension ResultSchema {
    /// What is different from an older schema: what can be told apart more finely is wider.
    func changes(from old: ResultSchema, _ changes: inout Changes) {
        changes.compare(old.maxBytes, maxBytes, "most bytes returned")
        switch (old.kind, kind) {
        case (.record(let before), .record(let now)):
            Self.fields(before, now, &changes)
        case (.table(let before), .table(let now)):
            Self.fields(before.columns, now.columns, &changes)
            changes.compare(before.maxRows, now.maxRows, "most rows returned")
            if before.orderBy != now.orderBy {
                let first = now.orderBy.isEmpty ? now.columns.map(\.name) : now.orderBy.map(\.column)
                changes.add(.different, "rows are sorted by \(first.joined(separator: ", "))")
            }
        case (.text(let typeBefore, let before), .text(let type, let now)):
            changes.compare(before, now, "most characters returned")
            if typeBefore != type { changes.add(.different, "returns \(type), it was \(typeBefore)") }
        case (.bytes(let typeBefore), .bytes(let type)):
            if typeBefore != type { changes.add(.different, "returns \(type), it was \(typeBefore)") }
        default:
            changes.add(.different, "returns a result of kind \(kindWord), it was \(old.kindWord)")
        }
    }

    private static func fields(_ old: [ResultField], _ new: [ResultField], _ changes: inout Changes) {
        for field in new {
            guard let before = old.first(where: { $0.name == field.name }) else {
                changes.add(.wider, "also returns \(field.name)")
                continue
            }
            if field.type != before.type || field.nullable != before.nullable {
                let isNarrower = field.type.isWithin(before.type) && (before.nullable || !field.nullable)
                changes.add(
                    isNarrower ? .narrower : .wider,
                    "returns \(field.name) as \(field.type.words), it was \(before.type.words)")
            }
            if field.mayHoldInvisible != before.mayHoldInvisible {
                changes.add(
                    field.mayHoldInvisible ? .wider : .narrower,
                    field.mayHoldInvisible
                        ? "\(field.name) may hold letters that cannot be seen"
                        : "\(field.name) no longer holds letters that cannot be seen")
            }
        }
        for field in old where !new.contains(where: { $0.name == field.name }) {
            changes.add(.narrower, "no longer returns \(field.name)")
        }
        let kept = new.map(\.name).filter { name in old.contains { $0.name == name } }
        if kept != old.map(\.name).filter({ kept.contains($0) }) {
            changes.add(.different, "returns its fields in another order")
        }
    }
}

extension ResultType {
    /// Whether each value of this type is one of the other.
    func isWithin(_ other: ResultType) -> Bool {
        switch (self, other) {
        case (.integer(let range, let values), .integer(let otherRange, let otherValues)):
            if let otherValues {
                guard let values else { return false }
                return Set(values).isSubset(of: otherValues) && otherRange.contains(range)
            }
            return otherRange.contains(range) || values?.allSatisfy(otherRange.contains) ?? false
        case (.real(let low, let high, let decimals), .real(let otherLow, let otherHigh, let otherDecimals)):
            return low ?? -.infinity >= otherLow ?? -.infinity && high ?? .infinity <= otherHigh ?? .infinity
                && decimals ?? .max <= otherDecimals ?? .max
        case (.text(let length, let values), .text(let otherLength, let otherValues)):
            if let otherValues { return values.map { Set($0).isSubset(of: otherValues) } ?? false }
            return length <= otherLength
        case (.boolean, .boolean): return true
        case (.blob(let type, let length), .blob(let otherType, let otherLength)):
            return type == otherType && length <= otherLength
        case (.list(let item, let count), .list(let otherItem, let otherCount)):
            return item.isWithin(otherItem) && count <= otherCount
        default: return false
        }
    }

    /// The type and its bounds in words.
    public var words: String {
        switch self {
        case .integer(_, let values?):
            return "one of " + values.map(\.description).joined(separator: ", ")
        case .integer(let range, nil):
            return "a whole number"
                + ScalarBounds.range(
                    range.lowerBound == .min ? nil : String(range.lowerBound),
                    range.upperBound == .max ? nil : String(range.upperBound))
        case .real(let low, let high, let decimals):
            let digits = decimals.map { $0 == 1 ? " with 1 decimal" : " with \($0) decimals" } ?? ""
            return "a number" + ScalarBounds.range(low.map(\.description), high.map(\.description)) + digits
        case .text(_, let values?): return "one of \(values.count) texts"
        case .text(let length, nil): return "text of at most \(length.grouped) characters"
        case .boolean: return "true or false"
        case .blob(let type, let length): return "\(type ?? "bytes") of at most \(length.grouped) bytes"
        case .list(let item, let count): return "a list of at most \(count.grouped), each \(item.words)"
        }
    }

    /// An upper bound of the bits that one value can carry.
    var capacityBits: Double {
        switch self {
        case .integer(let range, let values):
            return values.map { Capacity.bits(choices: Double($0.count)) } ?? Capacity.bits(range)
        case .real: return steps.map { Capacity.bits($0) } ?? 64
        case .text(let length, let values):
            return values.map { Capacity.bits(choices: Double($0.count)) }
                ?? Capacity.bits(listsOf: Capacity.bitsPerScalar, upTo: length)
        case .boolean: return 1
        case .blob(_, let length): return Capacity.bits(listsOf: 8, upTo: length)
        case .list(let item, let count):
            return Capacity.bits(listsOf: item.capacityBits, upTo: count)
        }
    }
}

extension ResultSchema {
    /// An upper bound of the bits that one result can carry, rounded up: what people are shown.
    public var capacityBits: Int { Capacity.whole(bits) }

    /// The same, not rounded.
    ///
    /// The logarithm of how many results there are that an app can tell apart after the host wrote them out again, and
    /// never more than the bytes allowed can hold. It is a bound, not a measurement: a plugin that computes a mean
    /// uses far less, and one that means harm can use it all.
    var bits: Double {
        // Of the texts of so many bytes at most none begins with just any byte; of bytes all do.
        let all = Double(maxBytes) * 8
        return switch kind {
        case .record(let fields): min(Self.row(fields), all)
        case .table(let table):
            min(Capacity.bits(sortedListsOf: Self.row(table.columns), upTo: table.maxRows), all)
        case .text(_, let length): min(Capacity.bits(listsOf: Capacity.bitsPerScalar, upTo: length), all)
        case .bytes: Capacity.bits(listsOf: 8, upTo: maxBytes)
        }
    }

    private static func row(_ fields: [ResultField]) -> Double {
        fields.reduce(0) { sum, field in
            let bits = field.type.capacityBits
            return sum + (field.nullable ? Capacity.bits(orNull: bits) : bits)
        }
    }
}

extension ClosedRange<Int64> {
    fileprivate func contains(_ other: ClosedRange<Int64>) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}

/// Reads values of D-Bus out of little-endian bytes whose first lies on a boundary of eight. What is not as the specification
/// has it, is nested deeper than 32, or has more than 10,000 values, is refused.
struct BusReader {
    private let bytes: [UInt8]
    private var place = 0
    private var left = 10_000

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all was read.
    var isAtEnd: Bool { place == bytes.count }

    /// Reads one value for each type of a signature.
    mutating func values(_ signature: String) -> [BusValue]? {
        guard signature.utf8.count <= 255 else { return nil }
        var types = Array(signature.utf8)[...]
        var values: [BusValue] = []
        while !types.isEmpty {
            guard let value = value(&types, depth: 0) else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func align(_ boundary: Int) -> Bool {
        while place % boundary != 0 {
            guard place < bytes.count, bytes[place] == 0 else { return false }
            place += 1
        }
        return true
    }

    private mutating func number(_ size: Int) -> UInt64? {
        guard align(size), place + size <= bytes.count else { return nil }
        defer { place += size }
        return (0..<size).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
    }

    private mutating func text(_ count: Int) -> String? {
        guard count >= 0, place + count < bytes.count, bytes[place + count] == 0 else { return nil }
        defer { place += count + 1 }
        let part = bytes[place..<(place + count)]
        guard !part.contains(0) else { return nil }
        return String(validating: part, as: UTF8.self)
    }

    private mutating func string() -> String? {
        guard let count = number(4), count < UInt64(bytes.count) else { return nil }
        return text(Int(count))
    }

    private mutating func value(_ types: inout ArraySlice<UInt8>, depth: Int) -> BusValue? {
        left -= 1
        guard depth < 32, left > 0, let type = types.popFirst() else { return nil }
        switch type {
        case UInt8(ascii: "y"): return number(1).map { .integer(Int64($0)) }
        case UInt8(ascii: "b"):
            guard let number = number(4), number < 2 else { return nil }
            return .bool(number == 1)
        case UInt8(ascii: "n"): return number(2).map { .integer(Int64(Int16(truncatingIfNeeded: $0))) }
        case UInt8(ascii: "q"): return number(2).map { .integer(Int64($0)) }
        case UInt8(ascii: "i"): return number(4).map { .integer(Int64(Int32(truncatingIfNeeded: $0))) }
        case UInt8(ascii: "u"), UInt8(ascii: "h"): return number(4).map { .integer(Int64($0)) }
        case UInt8(ascii: "x"): return number(8).map { .integer(Int64(bitPattern: $0)) }
        case UInt8(ascii: "t"): return number(8).flatMap { Int64(exactly: $0) }.map { .integer($0) }
        case UInt8(ascii: "d"): return number(8).map { .double(Double(bitPattern: $0)) }
        case UInt8(ascii: "s"): return string().map { .string($0) }
        case UInt8(ascii: "o"): return string().map { .path($0) }
        case UInt8(ascii: "g"): return number(1).flatMap { text(Int($0)) }.map { .signature($0) }
        case UInt8(ascii: "v"):
            guard let count = number(1), let signature = text(Int(count)) else { return nil }
            var inner = Array(signature.utf8)[...]
            guard let value = value(&inner, depth: depth + 1), inner.isEmpty else { return nil }
            return .variant(value)
        case UInt8(ascii: "("):
            guard align(8) else { return nil }
            var parts: [BusValue] = []
            while types.first != UInt8(ascii: ")") {
                guard let part = value(&types, depth: depth + 1) else { return nil }
                parts.append(part)
            }
            types.removeFirst()
            return parts.isEmpty ? nil : .structure(parts)
        case UInt8(ascii: "a"): return array(&types, depth: depth)
        default: return nil
        }
    }

    private mutating func array(_ types: inout ArraySlice<UInt8>, depth: Int) -> BusValue? {
        guard let size = number(4), size <= UInt64(bytes.count) else { return nil }
        let element = Self.one(types)
        guard let element, let first = element.first else { return nil }
        types = types.dropFirst(element.count)
        guard align(Self.boundary(first)) else { return nil }
        let end = place + Int(size)
        guard end <= bytes.count else { return nil }
        var items: [BusValue] = []
        while place < end {
            var inner = element
            if first == UInt8(ascii: "{") {
                guard align(8) else { return nil }
                inner = inner.dropFirst()
                guard let key = value(&inner, depth: depth + 2), let item = value(&inner, depth: depth + 2),
                    inner.elementsEqual([UInt8(ascii: "}")])
                else { return nil }
                items.append(.entry(key, item))
            } else {
                guard let item = value(&inner, depth: depth + 1), inner.isEmpty else { return nil }
                items.append(item)
            }
        }
        return place == end ? .array(items) : nil
    }

    /// The bytes of one whole type at the beginning of a signature.
    private static func one(_ types: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var open = 0
        for (index, type) in zip(types.indices, types) {
            switch type {
            case UInt8(ascii: "("), UInt8(ascii: "{"): open += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"): open -= 1
            case UInt8(ascii: "a"): continue
            default: break
            }
            if open < 0 { return nil }
            if open == 0 { return types[types.startIndex...index] }
        }
        return nil
    }

    /// Where a value of this type begins.
    static func boundary(_ type: UInt8) -> Int {
        switch type {
        case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
        default: 4
        }
    }
}

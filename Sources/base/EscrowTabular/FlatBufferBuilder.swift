/// Writes one FlatBuffers value, back to front: what is referred to is written before what refers to it.
///
/// The bytes are collected in reverse, so that a place is its distance from the end, which never changes while the
/// front grows. Alignment counts from the end as well; ``finish(root:)`` makes the whole a multiple of 8.
/// (FlatBuffers internals, "Encoding"; every table gets a vtable of its own.)
struct FlatBufferBuilder {
    /// The place of a table, string or vector: the distance of its first byte from the end of the buffer.
    struct Reference {
        let place: Int
    }

    enum Slot {
        case absent
        case byte(UInt8)
        case short(Int16)
        case int(Int32)
        case long(Int64)
        case reference(Reference)
    }

    private var reversed: [UInt8] = []

    /// Writes zeros until `extra` more bytes would end on a multiple of `size`.
    private mutating func align(_ size: Int, before extra: Int = 0) {
        while (reversed.count + extra) % size != 0 { reversed.append(0) }
    }

    private mutating func put<Value: FixedWidthInteger>(_ value: Value) {
        let size = MemoryLayout<Value>.size
        align(size)
        for index in stride(from: size - 1, through: 0, by: -1) {
            reversed.append(UInt8(truncatingIfNeeded: value >> Value(8 * index)))
        }
    }

    /// A reference is the distance forward from its own place.
    private mutating func put(_ reference: Reference) {
        align(4)
        put(UInt32(reversed.count + 4 - reference.place))
    }

    mutating func string(_ text: String) -> Reference {
        let bytes = Array(text.utf8)
        align(4, before: bytes.count + 1)
        reversed.append(0)
        reversed.append(contentsOf: bytes.reversed())
        put(UInt32(bytes.count))
        return Reference(place: reversed.count)
    }

    mutating func vector(_ items: [Reference]) -> Reference {
        align(4)
        for item in items.reversed() { put(item) }
        put(UInt32(items.count))
        return Reference(place: reversed.count)
    }

    /// Writes a vector of structs of two 64-bit integers; its length stands directly before the aligned data.
    mutating func pairs(_ items: [(Int64, Int64)]) -> Reference {
        align(8)
        for item in items.reversed() {
            put(item.1)
            put(item.0)
        }
        put(UInt32(items.count))
        return Reference(place: reversed.count)
    }

    /// Writes a table of these slots, and its vtable before it.
    mutating func table(_ slots: [Slot]) -> Reference {
        let end = reversed.count
        var places = [Int](repeating: 0, count: slots.count)
        for (index, slot) in slots.enumerated().reversed() {
            switch slot {
            case .absent: continue
            case .byte(let value): put(value)
            case .short(let value): put(value)
            case .int(let value): put(value)
            case .long(let value): put(value)
            case .reference(let value): put(value)
            }
            places[index] = reversed.count
        }
        // The table begins with its distance back to the vtable, which stands directly before it.
        put(Int32(4 + 2 * slots.count))
        let start = reversed.count
        for place in places.reversed() { put(UInt16(place == 0 ? 0 : start - place)) }
        put(UInt16(start - end))
        put(UInt16(4 + 2 * slots.count))
        return Reference(place: start)
    }

    /// The whole buffer, a multiple of 8 bytes, beginning with the reference to the root table.
    consuming func finish(root: Reference) -> [UInt8] {
        align(8, before: 4)
        put(root)
        return reversed.reversed()
    }
}

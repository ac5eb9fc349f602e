/// A table in a FlatBuffers buffer that nobody has verified: every read checks its bounds.
///
/// The buffer belongs to the caller and is valid during one message only. Places are counted from its start. A
/// buffer is at most some MiB, so sums of places and 32-bit distances cannot overflow 64 bits.
struct FlatBufferTable {
    private let buffer: UnsafeRawBufferPointer
    private let place: Int
    private let vtable: Int
    private let vtableSize: Int
    private let size: Int

    init(root buffer: UnsafeRawBufferPointer) throws(TabularError) {
        let distance = try Self.load(UInt32.self, at: 0, in: buffer)
        try self.init(buffer, at: Int(distance))
    }

    private init(_ buffer: UnsafeRawBufferPointer, at place: Int) throws(TabularError) {
        let back = Int(try Self.load(Int32.self, at: place, in: buffer))
        let vtable = place - back
        let vtableSize = Int(try Self.load(UInt16.self, at: vtable, in: buffer))
        let size = Int(try Self.load(UInt16.self, at: vtable + 2, in: buffer))
        guard vtableSize >= 4, vtableSize % 2 == 0, vtableSize <= buffer.count - vtable,
            size >= 4, size <= buffer.count - place
        else { throw TabularError(.malformedMessage) }
        self.buffer = buffer
        self.place = place
        self.vtable = vtable
        self.vtableSize = vtableSize
        self.size = size
    }

    /// A vector or string: where its first element lies, and how many there are.
    struct Items {
        let start: Int
        let count: Int
    }

    /// A number in a slot; nil if the slot is absent, which stands for its default.
    func number<Value: FixedWidthInteger>(
        _ slot: Int, as type: Value.Type
    ) throws(TabularError) -> Value? {
        guard let field = try field(slot, size: MemoryLayout<Value>.size) else { return nil }
        return try Self.load(type, at: field, in: buffer)
    }

    func flag(_ slot: Int) throws(TabularError) -> Bool {
        try number(slot, as: UInt8.self) ?? 0 != 0
    }

    /// The table that a slot refers to.
    func table(_ slot: Int) throws(TabularError) -> FlatBufferTable? {
        guard let target = try reference(slot) else { return nil }
        return try FlatBufferTable(buffer, at: target)
    }

    /// The vector that a slot refers to, all of its elements of `stride` bytes within the buffer.
    func vector(_ slot: Int, stride: Int) throws(TabularError) -> Items? {
        guard let target = try reference(slot) else { return nil }
        let count = Int(try Self.load(UInt32.self, at: target, in: buffer))
        guard count <= (buffer.count - target - 4) / stride else { throw TabularError(.malformedMessage) }
        return Items(start: target + 4, count: count)
    }

    /// The string that a slot refers to, of at most `limit` bytes: many slots can share one string, and each copies.
    func string(_ slot: Int, limit: Int) throws(TabularError) -> String? {
        guard let items = try vector(slot, stride: 1) else { return nil }
        guard items.count <= limit else { throw TabularError(.nameTooLong) }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[items.start..<items.start + items.count])
        guard isUTF8(bytes) else { throw TabularError(.notUTF8) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The table at a position of a vector of references.
    func table(in items: Items, at index: Int) throws(TabularError) -> FlatBufferTable {
        precondition(index >= 0 && index < items.count, "no such element")
        return try FlatBufferTable(buffer, at: try follow(items.start + 4 * index))
    }

    /// The pair of integers at a position of a vector of structs.
    func pair(in items: Items, at index: Int) throws(TabularError) -> (Int64, Int64) {
        precondition(index >= 0 && index < items.count, "no such element")
        let start = items.start + 16 * index
        return (
            try Self.load(Int64.self, at: start, in: buffer),
            try Self.load(Int64.self, at: start + 8, in: buffer)
        )
    }

    /// Where a slot's value lies; nil if the slot is absent.
    private func field(_ slot: Int, size: Int) throws(TabularError) -> Int? {
        let entry = 4 + 2 * slot
        guard entry + 2 <= vtableSize else { return nil }
        let offset = Int(try Self.load(UInt16.self, at: vtable + entry, in: buffer))
        guard offset != 0 else { return nil }
        guard offset >= 4, offset + size <= self.size else { throw TabularError(.malformedMessage) }
        return place + offset
    }

    private func reference(_ slot: Int) throws(TabularError) -> Int? {
        guard let field = try field(slot, size: 4) else { return nil }
        return try follow(field)
    }

    private func follow(_ field: Int) throws(TabularError) -> Int {
        field + Int(try Self.load(UInt32.self, at: field, in: buffer))
    }

    private static func load<Value: FixedWidthInteger>(
        _ type: Value.Type, at place: Int, in buffer: UnsafeRawBufferPointer
    ) throws(TabularError) -> Value {
        let size = MemoryLayout<Value>.size
        guard place >= 0, size <= buffer.count, place <= buffer.count - size else {
            throw TabularError(.malformedMessage)
        }
        return Value(littleEndian: buffer.loadUnaligned(fromByteOffset: place, as: type))
    }
}

/// Where the buffers of one record batch lie in its body, and how they are written.
struct ArrowBody {
    /// Offset and length of each buffer, depth first: validity, then values, or offsets and data. The length is
    /// without the padding to 8 bytes.
    private(set) var buffers: [(offset: Int, count: Int)] = []
    /// Nulls of each column.
    private(set) var nullCounts: [Int] = []
    /// Bytes of the body with its padding.
    private(set) var byteCount = 0
    let rowCount: Int

    init(_ batch: Batch) {
        rowCount = batch.rowCount
        batch.withColumns { columns in
            for column in columns {
                nullCounts.append(column.nullCount)
                add(column.nullCount == 0 ? 0 : (batch.rowCount + 7) / 8)
                if column.type.hasOffsets {
                    add((batch.rowCount + 1) * 4)
                    add(column.byteCount)
                } else if column.type == .boolean {
                    add((batch.rowCount + 7) / 8)
                } else {
                    add(batch.rowCount * 8)
                }
            }
        }
    }

    private mutating func add(_ count: Int) {
        buffers.append((byteCount, count))
        byteCount += ArrowLayout.padded(count)
    }

    /// Writes every byte of the body, padding included, to memory of exactly ``byteCount`` bytes.
    func write(_ batch: Batch, to target: UnsafeMutableRawBufferPointer) {
        precondition(target.count == byteCount, "the body has its own size")
        guard let start = target.baseAddress else { return }
        batch.withColumns { columns in
            var next = 0
            func buffer() -> (at: UnsafeMutableRawPointer, count: Int) {
                let (offset, count) = buffers[next]
                next += 1
                // Padding first: memory fresh from the allocator holds what was there before.
                for index in count..<ArrowLayout.padded(count) {
                    (start + offset).storeBytes(of: 0, toByteOffset: index, as: UInt8.self)
                }
                return (start + offset, count)
            }
            for column in columns {
                let validity = buffer()
                if let bytes = column.validity, validity.count > 0 {
                    Self.pack(rowCount, into: validity.at) { UInt64(bytes[$0]) }
                }
                let values = buffer()
                if column.type == .boolean {
                    let words = column.values.assumingMemoryBound(to: UInt64.self)
                    Self.pack(rowCount, into: values.at) { words[$0] }
                } else {
                    values.at.copyMemory(from: column.values, byteCount: values.count)
                }
                if column.type.hasOffsets {
                    let data = buffer()
                    data.at.copyMemory(from: column.bytes, byteCount: data.count)
                }
            }
        }
    }

    /// Packs 0s and 1s into a bitmap, first row in the lowest bit; the spare bits of the last byte are 0.
    @inline(__always)
    private static func pack(_ count: Int, into target: UnsafeMutableRawPointer, _ bit: (Int) -> UInt64) {
        var row = 0
        while row < count {
            var byte: UInt64 = 0
            for index in 0..<min(8, count - row) { byte |= bit(row + index) << UInt64(index) }
            target.storeBytes(of: UInt8(truncatingIfNeeded: byte), toByteOffset: row / 8, as: UInt8.self)
            row += 8
        }
    }
}

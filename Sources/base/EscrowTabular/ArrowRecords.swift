/// A `RecordBatch` header (Message.fbs), its counts and places checked against the body that came with it.
///
/// Nothing is copied or allocated for the rows yet: first every buffer is checked, then the bytes that all columns
/// take together are counted, and only then is memory taken.
struct ArrowRecords {
    let rowCount: Int
    private let nullCounts: [Int]
    private let buffers: [Range<Int>]
    private let body: UnsafeRawBufferPointer

    /// Checks a header that must describe exactly these columns.
    init(
        _ header: FlatBufferTable, columns: [ArrowColumn], body: UnsafeRawBufferPointer
    ) throws(TabularError) {
        guard try header.table(3) == nil else {
            throw TabularError(.unsupportedFormat, detail: "compressed buffers")
        }
        guard let rows = Int(exactly: try header.number(0, as: Int64.self) ?? 0), rows >= 0,
            // A column takes at least a bit for each row: with this no product below can overflow.
            rows <= body.count * 8,
            let nodes = try header.vector(1, stride: 16), nodes.count == columns.count,
            let places = try header.vector(2, stride: 16),
            places.count == columns.reduce(0, { $0 + $1.bufferCount })
        else { throw TabularError(.malformedBatch) }
        var nullCounts: [Int] = []
        for index in 0..<nodes.count {
            let (length, nulls) = try header.pair(in: nodes, at: index)
            guard length == Int64(rows), nulls >= 0, nulls <= length else {
                throw TabularError(.malformedBatch, column: index)
            }
            nullCounts.append(Int(nulls))
        }
        var buffers: [Range<Int>] = []
        for index in 0..<places.count {
            let (offset, length) = try header.pair(in: places, at: index)
            guard offset >= 0, length >= 0, offset <= Int64(body.count), length <= Int64(body.count) - offset
            else { throw TabularError(.malformedBatch) }
            buffers.append(Int(offset)..<Int(offset + length))
        }
        rowCount = rows
        self.nullCounts = nullCounts
        self.buffers = buffers
        self.body = body
    }

    /// One column's buffers, checked to be long enough for the rows.
    struct Column {
        let rowCount: Int
        let nullCount: Int
        /// The validity bitmap; nil if there are no nulls.
        let validity: UnsafeRawBufferPointer?
        /// Numbers, bits, offsets or indices.
        let values: UnsafeRawBufferPointer
        /// What offsets point into.
        let data: UnsafeRawBufferPointer

        @inline(__always)
        func isValid(_ row: Int) -> Bool {
            validity.map { $0[row >> 3] >> UInt8(row & 7) & 1 == 1 } ?? true
        }

        /// The offset before a row.
        @inline(__always)
        func offset(_ row: Int) -> Int {
            Int(Int32(littleEndian: values.loadUnaligned(fromByteOffset: row &* 4, as: Int32.self)))
        }
    }

    /// The columns with their buffers.
    func split(_ columns: [ArrowColumn]) throws(TabularError) -> [Column] {
        var result: [Column] = []
        var next = 0
        for (index, column) in columns.enumerated() {
            let slices = buffers[next..<next + column.bufferCount].map {
                UnsafeRawBufferPointer(rebasing: body[$0])
            }
            next += column.bufferCount
            let validity = slices[0]
            let needed: Int
            if let dictionary = column.dictionary {
                needed = rowCount * dictionary.width
            } else if column.type.hasOffsets {
                // No rows need no offsets, not even the first (columnar format, "Variable-size Binary Layout").
                needed = rowCount == 0 ? 0 : (rowCount + 1) * 4
            } else {
                needed = column.type == .boolean ? (rowCount + 7) / 8 : rowCount * 8
            }
            guard slices[1].count >= needed,
                validity.count >= (rowCount + 7) / 8 || (validity.isEmpty && nullCounts[index] == 0)
            else { throw TabularError(.malformedBatch, column: index) }
            if !validity.isEmpty, rowCount - Self.ones(validity, rowCount) != nullCounts[index] {
                throw TabularError(.wrongNullCount, column: index)
            }
            result.append(
                Column(
                    rowCount: rowCount, nullCount: nullCounts[index],
                    validity: nullCounts[index] == 0 ? nil : validity, values: slices[1],
                    data: column.bufferCount > 2 ? slices[2] : UnsafeRawBufferPointer(start: nil, count: 0)))
        }
        return result
    }

    /// Bits set among the first `count` of a bitmap.
    private static func ones(_ bitmap: UnsafeRawBufferPointer, _ count: Int) -> Int {
        var total = 0
        var byte = 0
        while (byte + 8) * 8 <= count {
            total += bitmap.loadUnaligned(fromByteOffset: byte, as: UInt64.self).nonzeroBitCount
            byte += 8
        }
        for row in byte * 8..<count { total += Int(bitmap[row >> 3] >> UInt8(row & 7) & 1) }
        return total
    }
}

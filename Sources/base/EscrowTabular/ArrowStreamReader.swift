/// Reads an Arrow IPC stream that a hostile program may have written: bytes in, batches out.
///
/// ```swift
/// var reader = ArrowStreamReader(requiring: schema)
/// for batch in try reader.feed(bytes) { ... }    // as often as bytes arrive, cut anywhere
/// try reader.finish()                            // throws if the end marker has not come
/// ```
///
/// The values are copied out and checked; padding, bits past the last row, values under nulls, gaps and metadata
/// stay behind, so that a batch encoded anew carries nothing but its values. Memory grows with the bytes that have
/// arrived, never with those announced. After an error the reader throws that error again.
///
/// Types: int64, float64, bool, utf8, binary, timestamp[us, UTC], and utf8 behind a dictionary with indices of 8, 16
/// or 32 bits. Anything else is refused by name.
public struct ArrowStreamReader: Sendable {
    /// The columns, once the schema message has come; the required ones if some are required.
    public private(set) var schema: Schema?
    public private(set) var rowCount = 0
    public private(set) var isEnded = false

    private let limits: ArrowLimits
    private let required: Schema?
    private var columns: [ArrowColumn] = []
    private var dictionaries: [Int64: ArrowDictionary] = [:]
    private var pending: [UInt8] = []
    private var messageCount = 0
    private var byteCount = 0
    private var failure: TabularError?

    /// A reader at the start of a stream. If a schema is required, names, types and order must be its own, and
    /// columns that it says hold no nulls must hold none, whatever the stream says of itself.
    public init(requiring required: Schema? = nil, limits: ArrowLimits = ArrowLimits()) {
        self.required = required
        self.limits = limits
    }

    /// Takes the next bytes of the stream, cut anywhere, and gives back the batches that they complete.
    public mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(TabularError) -> [Batch] {
        if let failure { throw failure }
        do throws(TabularError) {
            pending.append(contentsOf: bytes)
            // Out of the struct, so that messages can be read from it while the reader changes.
            let arrived = pending
            pending = []
            var batches: [Batch] = []
            let used = try read(arrived, into: &batches)
            pending = used == 0 ? arrived : Array(arrived[used...])
            return batches
        } catch {
            failure = error
            pending = []
            dictionaries = [:]
            throw error
        }
    }

    public mutating func feed(_ bytes: [UInt8]) throws(TabularError) -> [Batch] {
        // `withUnsafeBytes` does not carry typed errors out of a mutating call, so the outcome is a value.
        let outcome = bytes.withUnsafeBytes { raw -> Result<[Batch], TabularError> in
            do throws(TabularError) { return .success(try feed(raw)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// Says that no more bytes come.
    public func finish() throws(TabularError) {
        if let failure { throw failure }
        guard isEnded else { throw TabularError(.truncated) }
    }

    /// Reads complete messages and returns how many bytes they took.
    private mutating func read(_ arrived: [UInt8], into batches: inout [Batch]) throws(TabularError) -> Int {
        var at = 0
        var outcome: TabularError?
        arrived.withUnsafeBytes { raw in
            do throws(TabularError) {
                while let size = try readMessage(UnsafeRawBufferPointer(rebasing: raw[at...]), &batches) {
                    at += size
                }
            } catch { outcome = error }
        }
        if let outcome { throw outcome }
        return at
    }

    /// Reads one message and returns its size; nil if it has not arrived in full.
    private mutating func readMessage(
        _ bytes: UnsafeRawBufferPointer, _ batches: inout [Batch]
    ) throws(TabularError) -> Int? {
        if isEnded {
            guard bytes.isEmpty else { throw TabularError(.afterEnd) }
            return nil
        }
        guard bytes.count >= 8 else { return nil }
        guard bytes.loadUnaligned(as: UInt32.self) == ArrowLayout.continuation else {
            throw TabularError(.malformedMessage)
        }
        let metadataSize = Int(
            Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: Int32.self)))
        if metadataSize == 0 {
            guard schema != nil else { throw TabularError(.messageOrder) }
            isEnded = true
            return 8
        }
        guard metadataSize > 0, metadataSize % 8 == 0 else { throw TabularError(.malformedMessage) }
        guard metadataSize <= limits.metadataBytes else { throw TabularError(.messageTooLarge) }
        guard metadataSize <= bytes.count - 8 else { return nil }
        let metadata = UnsafeRawBufferPointer(rebasing: bytes[8..<8 + metadataSize])
        let message = try FlatBufferTable(root: metadata)
        guard try message.number(0, as: Int16.self) ?? 0 == ArrowLayout.version else {
            throw TabularError(.unsupportedFormat, detail: "a metadata version other than V5")
        }
        let bodyLength = try message.number(3, as: Int64.self) ?? 0
        guard bodyLength >= 0, bodyLength % 8 == 0 else { throw TabularError(.malformedMessage) }
        guard bodyLength <= Int64(limits.bodyBytes) else { throw TabularError(.messageTooLarge) }
        guard bodyLength <= Int64(bytes.count - 8 - metadataSize) else { return nil }
        let size = 8 + metadataSize + Int(bodyLength)
        guard messageCount < limits.messages else {
            throw TabularError(.streamTooLarge, detail: "too many messages")
        }
        messageCount += 1
        let body = UnsafeRawBufferPointer(rebasing: bytes[8 + metadataSize..<size])
        guard let code = try message.number(1, as: UInt8.self), let header = try message.table(2) else {
            throw TabularError(.malformedMessage)
        }
        switch code {
        case ArrowLayout.Header.schema: try readSchema(header, body)
        case ArrowLayout.Header.dictionary: try readDictionary(header, body)
        case ArrowLayout.Header.batch: batches.append(try readBatch(header, body))
        default: throw TabularError(.unsupportedFormat, detail: "a message of unknown kind")
        }
        return size
    }

    private mutating func readSchema(
        _ header: FlatBufferTable, _ body: UnsafeRawBufferPointer
    ) throws(TabularError) {
        guard schema == nil else { throw TabularError(.messageOrder) }
        guard try header.number(0, as: Int16.self) ?? 0 == 0 else {
            throw TabularError(.unsupportedFormat, detail: "big-endian numbers")
        }
        guard body.isEmpty, let items = try header.vector(1, stride: 4) else {
            throw TabularError(.malformedMessage)
        }
        guard items.count <= Schema.maximumColumns else { throw TabularError(.columnCount) }
        var fields: [Field] = []
        for position in 0..<items.count {
            let (field, column) = try ArrowColumn.read(
                header.table(in: items, at: position), position: position)
            fields.append(field)
            columns.append(column)
        }
        let announced = try Schema(fields)
        if let required { try check(announced, against: required) }
        schema = required ?? announced
    }

    private mutating func check(_ announced: Schema, against required: Schema) throws(TabularError) {
        guard announced.columnCount == required.columnCount else { throw TabularError(.schemaMismatch) }
        for (position, field) in announced.fields.enumerated() {
            let wanted = required.fields[position]
            let wire = wanted.type == .asset ? ColumnType.text : wanted.type
            guard field.name == wanted.name, field.type == wire else {
                throw TabularError(.schemaMismatch, column: position)
            }
            columns[position].isNullable = field.isNullable && wanted.isNullable
        }
    }

    private mutating func readDictionary(
        _ header: FlatBufferTable, _ body: UnsafeRawBufferPointer
    ) throws(TabularError) {
        guard schema != nil else { throw TabularError(.messageOrder) }
        let id = try header.number(0, as: Int64.self) ?? 0
        guard columns.contains(where: { $0.dictionary?.id == id }), let data = try header.table(1) else {
            throw TabularError(.malformedMessage)
        }
        guard try !header.flag(2) else {
            throw TabularError(.unsupportedFormat, detail: "delta dictionaries")
        }
        let text = ArrowColumn(type: .text, isNullable: false)
        let values = try copy(
            ArrowRecords(data, columns: [text], body: body), as: [text],
            fields: [Field("", type: .text, nullable: false)])
        dictionaries[id] = ArrowDictionary(owning: values.columns.pointee)
        values.columns.deallocate()
    }

    private mutating func readBatch(
        _ header: FlatBufferTable, _ body: UnsafeRawBufferPointer
    ) throws(TabularError) -> Batch {
        guard let schema else { throw TabularError(.messageOrder) }
        let records = try ArrowRecords(header, columns: columns, body: body)
        guard records.rowCount <= limits.rows - rowCount else {
            throw TabularError(.streamTooLarge, detail: "too many rows")
        }
        let copied = try copy(records, as: columns, fields: schema.fields)
        rowCount += records.rowCount
        return Batch(
            schema: schema, rowCount: records.rowCount,
            storage: Batch.Storage(owning: copied.columns, count: columns.count))
    }

    /// Copies the columns out; the memory belongs to the caller.
    private mutating func copy(
        _ records: ArrowRecords, as columns: [ArrowColumn], fields: [Field]
    ) throws(TabularError) -> (columns: UnsafeMutablePointer<ColumnStorage>, byteCount: Int) {
        let parts = try records.split(columns)
        var sizes: [Int] = []
        var total = 0
        for (position, part) in parts.enumerated() {
            guard part.nullCount == 0 || columns[position].isNullable else {
                throw TabularError(.unexpectedNull, column: position)
            }
            let size = try placed(position) { () throws(TabularError) in
                try part.byteCount(columns[position], dictionary: dictionary(columns[position]))
            }
            sizes.append(size)
            total += size
            // 32-bit offsets end at 2 GiB, whatever the limits say.
            guard size <= Int(Int32.max), total <= limits.batchBytes, total <= limits.totalBytes - byteCount
            else {
                throw TabularError(.streamTooLarge, detail: "too many bytes")
            }
        }
        byteCount += total
        let storage = UnsafeMutablePointer<ColumnStorage>.allocate(capacity: columns.count)
        for (position, part) in parts.enumerated() {
            let arena = max(sizes[position] - 5 * records.rowCount, 0)
            (storage + position).initialize(
                to: ColumnStorage(fields[position], capacity: records.rowCount, byteCapacity: arena))
            do throws(TabularError) {
                try placed(position) { () throws(TabularError) in
                    try part.copy(
                        columns[position], dictionary: dictionary(columns[position]),
                        into: &storage[position])
                }
            } catch {
                for index in 0...position { storage[index].deallocate() }
                storage.deallocate()
                throw error
            }
        }
        return (storage, total)
    }

    private func dictionary(_ column: ArrowColumn) -> ArrowDictionary? {
        column.dictionary.flatMap { dictionaries[$0.id] }
    }

    private func placed<Value>(
        _ column: Int, _ body: () throws(TabularError) -> Value
    ) throws(TabularError) -> Value {
        do throws(TabularError) {
            return try body()
        } catch {
            throw error.at(column: column)
        }
    }
}

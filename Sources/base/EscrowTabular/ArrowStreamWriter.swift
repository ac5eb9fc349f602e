/// Writes batches as one Arrow IPC stream, piece by piece.
///
/// ```swift
/// var writer = ArrowStreamWriter(schema: schema)
/// var bytes = try writer.encode(batch)    // the schema and the first batch
/// bytes += try writer.encode(another)
/// bytes += writer.end()                   // the end marker; without any batch, the schema before it
/// ```
///
/// All pieces in a row are one valid stream. Padding and what lies under nulls is zero: nothing of the host's memory
/// goes out with the rows.
public struct ArrowStreamWriter: Sendable {
    public let schema: Schema
    public private(set) var rowCount = 0
    public private(set) var byteCount = 0
    public private(set) var isEnded = false
    private let metadata: [(key: String, value: String)]
    private var hasSchema = false

    /// Begins a stream. `metadata` goes into the schema message, for example the access and its purpose.
    public init(schema: Schema, metadata: [(key: String, value: String)] = []) {
        self.schema = schema
        self.metadata = metadata
    }

    /// The next piece of the stream: the batch, with the schema before it if it is the first.
    public mutating func encode(_ batch: Batch) throws(TabularError) -> [UInt8] {
        guard !isEnded else { throw TabularError(.afterEnd) }
        guard batch.schema == schema else { throw TabularError(.schemaMismatch) }
        let head = schemaMessage()
        let body = ArrowBody(batch)
        let message = Self.batchMessage(body)
        let size = head.count + message.count + body.byteCount
        let piece = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let target = UnsafeMutableRawBufferPointer(buffer)
            target.copyBytes(from: head)
            UnsafeMutableRawBufferPointer(rebasing: target[head.count...]).copyBytes(from: message)
            body.write(
                batch, to: UnsafeMutableRawBufferPointer(rebasing: target[(head.count + message.count)...]))
            count = size
        }
        rowCount += batch.rowCount
        byteCount += size
        return piece
    }

    /// The last piece: the end marker, with the schema before it if there was no batch; nothing the second time.
    public mutating func end() -> [UInt8] {
        guard !isEnded else { return [] }
        let piece = schemaMessage() + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]
        isEnded = true
        byteCount += piece.count
        return piece
    }

    /// The schema message the first time, then nothing.
    private mutating func schemaMessage() -> [UInt8] {
        guard !hasSchema else { return [] }
        hasSchema = true
        var builder = FlatBufferBuilder()
        let fields = schema.fields.map { builder.arrowField($0) }
        let fieldVector = builder.vector(fields)
        let metadataVector = builder.keyValues(metadata)
        let table = builder.table([.short(0), .reference(fieldVector), metadataVector])
        return Self.message(builder, header: ArrowLayout.Header.schema, table, bodyLength: 0)
    }

    private static func batchMessage(_ body: ArrowBody) -> [UInt8] {
        var builder = FlatBufferBuilder()
        let buffers = builder.pairs(body.buffers.map { (Int64($0.offset), Int64($0.count)) })
        let nodes = builder.pairs(body.nullCounts.map { (Int64(body.rowCount), Int64($0)) })
        let table = builder.table([.long(Int64(body.rowCount)), .reference(nodes), .reference(buffers)])
        return message(builder, header: ArrowLayout.Header.batch, table, bodyLength: body.byteCount)
    }

    /// Encapsulates a header: continuation, size of the metadata with its padding, `Message` table.
    private static func message(
        _ builder: consuming FlatBufferBuilder, header: UInt8, _ table: FlatBufferBuilder.Reference,
        bodyLength: Int
    ) -> [UInt8] {
        let root = builder.table([
            .short(ArrowLayout.version), .byte(header), .reference(table), .long(Int64(bodyLength)),
        ])
        let metadata = builder.finish(root: root)
        let size = UInt32(metadata.count)
        let prefix = [0xFF, 0xFF, 0xFF, 0xFF] + (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
        return prefix + metadata
    }
}

extension FlatBufferBuilder {
    /// A `Field` without children; pyarrow reads an absent children vector, other readers refuse it.
    mutating func arrowField(_ field: Field) -> Reference {
        let metadata = keyValues(field.origin.map { [("origin", $0)] } ?? [])
        let children = vector([])
        let type: Reference
        switch field.type {
        case .integer: type = table([.int(64), .byte(1)])
        case .real: type = table([.short(ArrowLayout.double)])
        case .timestamp:
            let zone = string(ArrowLayout.zone)
            type = table([.short(ArrowLayout.microsecond), .reference(zone)])
        case .text, .asset, .blob, .boolean: type = table([])
        }
        let name = string(field.name)
        return table([
            .reference(name), .byte(field.isNullable ? 1 : 0), .byte(field.type.arrowCode), .reference(type),
            .absent, .reference(children), metadata,
        ])
    }

    /// A vector of `KeyValue`, absent if there are none.
    mutating func keyValues(_ pairs: [(key: String, value: String)]) -> Slot {
        guard !pairs.isEmpty else { return .absent }
        var tables: [Reference] = []
        for pair in pairs {
            let key = string(pair.key)
            let value = string(pair.value)
            tables.append(table([.reference(key), .reference(value)]))
        }
        return .reference(vector(tables))
    }
}

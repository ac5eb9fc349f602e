import EscrowTabular

/// Feeds the bytes to an Arrow reader in pieces of a size that the first byte chooses; what it lets through is
/// touched value by value and must survive being written anew.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArrow(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let data, count > 0 else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: data + 1, count: count - 1)
    let size = data[0] == 0 ? max(bytes.count, 1) : Int(data[0])
    let limits = ArrowLimits(
        bodyBytes: 1 << 20, messages: 50, rows: 10_000, batchBytes: 1 << 18, totalBytes: 1 << 19)
    var reader = ArrowStreamReader(limits: limits)
    var batches: [Batch] = []
    do throws(TabularError) {
        var at = 0
        while at < bytes.count {
            let end = min(at + size, bytes.count)
            batches += try reader.feed(UnsafeRawBufferPointer(rebasing: bytes[at..<end]))
            at = end
        }
        try reader.finish()
    } catch {
        precondition(!error.description.isEmpty)
        return 0
    }
    guard let schema = reader.schema else { preconditionFailure("a complete stream has a schema") }
    var writer = ArrowStreamWriter(schema: schema)
    var again: [UInt8] = []
    do throws(TabularError) {
        for batch in batches { again += try writer.encode(batch) }
        again += writer.end()
        var second = ArrowStreamReader(requiring: schema)
        let copies = try second.feed(again)
        try second.finish()
        precondition(copies.count == batches.count)
        for (batch, copy) in zip(batches, copies) { compare(batch, copy) }
    } catch {
        preconditionFailure("what was read could not be written and read again")
    }
    return 0
}

private func compare(_ batch: Batch, _ copy: Batch) {
    precondition(batch.rowCount == copy.rowCount && batch.byteCount == copy.byteCount)
    for row in 0..<batch.rowCount {
        for column in batch.schema.fields.indices {
            let cells = (batch.cell(row: row, column: column), copy.cell(row: row, column: column))
            if case (.real(let left), .real(let right)) = cells {
                precondition(left.bitPattern == right.bitPattern)
            } else {
                precondition(cells.0 == cells.1)
            }
        }
    }
}

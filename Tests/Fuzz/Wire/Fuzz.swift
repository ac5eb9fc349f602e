import EscrowTabular
import EscrowWire

/// The first byte chooses the kind of the result and whether the rest is a filter's output or a plugin's; the second how
/// it is cut into pieces. Pieces must not change what is understood; a filter's table has the declared columns.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWire(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    guard let data, size > 2, let schema = try? Schema([Field("a", type: .integer), Field("t", type: .text)])
    else {
        return 0
    }
    let bytes = Array(UnsafeBufferPointer(start: data + 2, count: size - 2))
    let kind = ResultKind.allCases[Int(data[0] & 3)]
    if data[0] & 4 != 0 {
        let form = FilterForm.allCases[Int(data[0] >> 3) % 3]
        let columns: [(name: String, type: ColumnType)] = [("a", .integer), ("t", .text)]
        let reader = FilterResult(kind: kind, form: form, columns: columns, maxRows: 100, resultBytes: 4_096)
        if case .rows(let rows)? = try? reader.decode(bytes) {
            precondition(rows.count <= 100 && rows.allSatisfy { $0.count == 2 }, "a table of another shape")
        }
        return 0
    }
    // An ask must come last in what is read at once, so that both ways are cut at the ends of lines.
    let whole = play(bytes, kind, schema, piece: bytes.count)
    let cut = play(bytes, kind, schema, piece: max(1, Int(data[1])))
    precondition(whole == cut, "pieces change the meaning")
    return 0
}

/// What a session made of some bytes: the rule that was broken, or nothing.
private func play(_ bytes: [UInt8], _ kind: ResultKind, _ schema: Schema, piece: Int) -> WireError.Code? {
    var session = Session(
        run: "fuzz", schema: schema, features: [.rows, .asset, .fetch], resultKind: kind,
        limits: SessionLimits(resultBytes: 4_096, lineBytes: 1_024))
    _ = session.start()
    var rest = bytes[...]
    do throws(WireError) {
        while !rest.isEmpty {
            // Up to the end of a line at most: whoever writes more in one go after an ask is out of turn.
            let lineEnd = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            let next = rest[..<min(lineEnd, rest.startIndex + piece)]
            rest = rest[next.endIndex...]
            for event in try session.receive(next) {
                switch event {
                case .rows(let max, _):
                    precondition(max >= 1 && max <= 8_192)
                    let builder = BatchBuilder(schema: schema)
                    try? builder.append(1, to: 0)
                    try? builder.endRow()
                    _ = try? session.answer(batch: builder.finish(), more: session.counts.asks < 3)
                case .asset: _ = session.answer(asset: 3, mediaType: "image/jpeg")
                case .assets(let ids):
                    precondition(1...64 ~= ids.count)
                    _ = session.answer(assets: ids.map { _ in .file(bytes: 3, mediaType: "image/jpeg") })
                case .fetch: _ = session.answer(error: "egress-undeclared", message: "none")
                case .fetchTogether(let requests):
                    precondition(!requests.isEmpty)
                    let end = RequestEnd.error(code: "egress-undeclared", message: "none")
                    _ = session.answer(together: requests.map { _ in end })
                case .result(.bytes(let bytes, _)), .result(.stream(let bytes, _)):
                    precondition(bytes.count <= 4 * 4_096 + 65_536, "a result beyond its limit")
                default: break
                }
            }
        }
        try session.endOfOutput()
        return nil
    } catch {
        precondition(error.line >= 1)
        return error.code
    }
}

import EscrowJSON
public import EscrowTabular

/// Rows of a batch that did not fit into one line of JSON.
struct PendingRows {
    let batch: Batch
    var next: Int
    let more: Bool
}

extension Session {
    public func start() -> [UInt8] {
        let columns = schema.fields.map { field in
            JSONValue.object([("name", .string(field.name)), ("type", .string(field.type.rawValue))])
        }
        let offered = WireFeature.allCases.filter(features.contains).map { JSONValue.string($0.rawValue) }
        return Self.line([
            ("escrow", 1), ("run", .string(run)), ("columns", .array(columns)),
            ("params", .object(parameters)),
            (
                "limits",
                .object([
                    ("rowsPerAsk", .integer(Int64(limits.rowsPerAsk))),
                    ("lineBytes", .integer(Int64(limits.lineBytes))),
                    ("resultBytes", .integer(Int64(limits.resultBytes))),
                ])
            ),
            ("features", .array(offered)),
        ])
    }

    /// Answers the ask for rows, in the form that was asked for. `batch` has the run's schema and at most as many
    /// rows as the event said; `more` is false with the last one, which may be empty. Write the pieces one after the
    /// other.
    public mutating func answer(batch: Batch, more: Bool) throws(TabularError) -> [[UInt8]] {
        guard case .awaiting(.rows(let max, let form)) = phase else {
            preconditionFailure("nobody asked for rows")
        }
        precondition(batch.rowCount <= max, "the batch has more rows than the event said")
        phase = .idle
        switch form {
        case .json:
            pending = PendingRows(batch: batch, next: 0, more: more)
            return [rowsLine(max: max)]
        case .arrow:
            // An empty batch that is not the last says nothing but would be a message of its own.
            var payload = batch.rowCount > 0 ? try writer.encode(batch) : []
            if !more {
                payload += writer.end()
                isLastRowSent = true
            }
            counts.rows += batch.rowCount
            counts.rowBytes += payload.count
            let header: JSONValue = .object([
                ("rows", .integer(Int64(batch.rowCount))), ("bytes", .integer(Int64(payload.count))),
                ("more", .bool(more)),
            ])
            return [Self.line([("batch", header)]), payload]
        }
    }

    /// Answers the ask for an asset with its size; the host then writes exactly that many bytes.
    public mutating func answer(asset count: Int, mediaType: String) -> [UInt8] {
        guard case .awaiting(.asset) = phase else { preconditionFailure("nobody asked for an asset") }
        phase = .idle
        return Self.line([("asset", head(asset: count, mediaType))])
    }

    /// Answers the ask for several assets with what each is, in the order in which they were asked for; the host then writes
    /// the bytes of those that are given, one after the other.
    public mutating func answer(assets: [AssetAnswer]) -> [UInt8] {
        guard case .awaiting(.assets(let count)) = phase, count == assets.count else {
            preconditionFailure("nobody asked for so many assets")
        }
        phase = .idle
        var answers: [JSONValue] = []
        for asset in assets {
            switch asset {
            case .file(let bytes, let mediaType): answers.append(head(asset: bytes, mediaType))
            case .error(let code, let message):
                answers.append(["error": ["code": .string(code), "message": .string(message)]])
            }
        }
        return Self.line([("assets", .array(answers))])
    }

    private mutating func head(asset count: Int, _ mediaType: String) -> JSONValue {
        counts.assets += 1
        counts.assetBytes += count
        return ["bytes": .integer(Int64(count)), "mediaType": .string(mediaType)]
    }

    /// Answers the ask for a request with the status and size of the response; the host then writes exactly that
    /// many bytes.
    public mutating func answer(status: Int, bytes: Int, mediaType: String) -> [UInt8] {
        guard case .awaiting(.fetch) = phase else { preconditionFailure("nobody asked for a request") }
        phase = .idle
        counts.fetches += 1
        return Self.line(Self.head(status, bytes, mediaType))
    }

    /// Answers the ask for several requests with how each ended, in the order in which they were asked for; the host then
    /// writes the bodies of those that were answered, one after the other.
    public mutating func answer(together ends: [RequestEnd]) -> [UInt8] {
        guard case .awaiting(.fetchTogether(let count)) = phase, count == ends.count else {
            preconditionFailure("nobody asked for so many requests")
        }
        phase = .idle
        var answers: [JSONValue] = []
        for end in ends {
            switch end {
            case .response(let status, let bytes, let mediaType):
                counts.fetches += 1
                answers.append(.object(Self.head(status, bytes, mediaType)))
            case .error(let code, let message):
                answers.append(["error": ["code": .string(code), "message": .string(message)]])
            }
        }
        return Self.line([("answers", .array(answers))])
    }

    private static func head(
        _ status: Int, _ bytes: Int, _ mediaType: String
    ) -> [(name: String, value: JSONValue)] {
        [
            ("status", .integer(Int64(status))), ("bytes", .integer(Int64(bytes))),
            ("mediaType", .string(mediaType)),
        ]
    }

    /// Answers any ask with an error; the plugin may go on. `code` is one of the protocol's: `cancelled`,
    /// `unknown-asset`, `asset-unreadable`, `asset-too-large`, `egress-…`.
    public mutating func answer(error code: String, message: String) -> [UInt8] {
        guard case .awaiting = phase else { preconditionFailure("nobody asked") }
        phase = .idle
        return Self.errorLine(code: code, message: message)
    }

    /// Cancels the run: the pending ask, or else the next one, is answered with the error `cancelled`.
    /// - Returns: what to write now, if an ask was pending.
    public mutating func cancel() -> [UInt8]? {
        isCancelled = true
        guard isAnswerDue else { return nil }
        return answer(error: "cancelled", message: "the run was cancelled")
    }

    /// The next line of JSON rows: at most `max`, and no more than fit, but at least one if any is left.
    mutating func rowsLine(max: Int) -> [UInt8] {
        guard var rows = pending else { return [] }
        let end = min(rows.batch.rowCount, rows.next + max)
        let first = rows.next
        var output = Array("{\"rows\":[".utf8)
        output.reserveCapacity(min(limits.hostLineBytes, 64 + (end - first) * 64))
        while rows.next < end {
            let before = output.count
            if rows.next > first { output.append(UInt8(ascii: ",")) }
            encoder.append(arrayOf: rows.next, in: rows.batch, to: &output)
            if rows.next > first, output.count + 16 > limits.hostLineBytes {
                output.removeSubrange(before...)
                break
            }
            rows.next += 1
        }
        let isAllSent = rows.next == rows.batch.rowCount
        let more = rows.more || !isAllSent
        output.append(contentsOf: (more ? "],\"more\":true}\n" : "],\"more\":false}\n").utf8)
        pending = isAllSent ? nil : rows
        isLastRowSent = !more
        counts.rows += rows.next - first
        counts.rowBytes += output.count
        return output
    }

    static func errorLine(code: String, message: String) -> [UInt8] {
        line([("error", .object([("code", .string(code)), ("message", .string(message))]))])
    }

    static func line(_ members: [(name: String, value: JSONValue)]) -> [UInt8] {
        JSONWriter.line(.object(members)) + [0x0A]
    }
}

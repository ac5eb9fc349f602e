import EscrowJSON

/// Reads the value of `"result"` as the declared kind.
struct ResultReader {
    let kind: ResultKind
    let limits: SessionLimits
    let line: Int

    /// What a result's line holds: all of it, or the announcement of raw bytes.
    enum Reading {
        case complete(ResultPayload)
        case announced(Session.Payload, Int)
    }

    /// Reads the value.
    func read(_ node: JSONNode) throws(WireError) -> Reading {
        do {
            switch kind {
            case .record:
                _ = try node.requireMembers()
                return .complete(.json(node))
            case .table: return try table(node)
            case .text:
                var object = try JSONObjectReader(node)
                let text = try object.required("text").requireString()
                try object.finish()
                try check(text.utf8.count, most: limits.resultBytes)
                return .complete(.json(node))
            case .bytes:
                var object = try JSONObjectReader(node)
                let count = try object.required("bytes").requireInteger()
                let mediaType = try object.required("mediaType").requireString()
                try object.finish()
                let size = try check(count, most: limits.resultBytes)
                return .announced(.bytes(mediaType: mediaType), size)
            }
        } catch let error as WireError {
            throw error
        } catch let error as JSONError {
            throw WireError(
                .wrongResult, line: line, "not the declared \(kind.rawValue): \(error.impersonalMessage)")
        } catch {
            throw WireError(.wrongResult, line: line, "not the declared \(kind.rawValue)")
        }
    }

    private func table(_ node: JSONNode) throws -> Reading {
        var object = try JSONObjectReader(node)
        if let batch = object.optional("batch") {
            try object.finish()
            var inner = try JSONObjectReader(batch)
            let rows = try inner.required("rows").requireInteger()
            let count = try inner.required("bytes").requireInteger()
            try inner.finish()
            guard rows >= 0, rows <= Int32.max else {
                throw WireError(.wrongResult, line: line, "a table with an impossible number of rows")
            }
            // Arrow spends eight bytes where JSON may need two.
            let size = try check(count, most: min(limits.resultBytes, 1 << 40) * 4 + 65_536)
            return .announced(.stream(rows: Int(rows)), size)
        }
        let rows = try object.required("rows").requireArray()
        try object.finish()
        for row in rows { _ = try row.requireArray() }
        return .complete(.json(node))
    }

    @discardableResult
    private func check(_ count: some BinaryInteger, most: Int) throws(WireError) -> Int {
        guard let count = Int(exactly: count), count >= 0 else {
            throw WireError(.wrongResult, line: line, "a result of an impossible size")
        }
        guard count <= most else {
            throw WireError(
                .resultTooLarge, line: line, "a result longer than the declared \(limits.resultBytes) bytes")
        }
        return count
    }
}

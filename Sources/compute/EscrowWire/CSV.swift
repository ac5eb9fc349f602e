/// Comma-separated values after RFC 4180, with `\n` or `\r\n` at the end of a line.
enum CSV {
    private static let quote = UInt8(ascii: "\"")

    /// Appends a field, quoted if it must be; an empty text is `""`, which tells it from null.
    static func append(_ text: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        let needsQuotes =
            text.isEmpty || text.contains { $0 == quote || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        guard needsQuotes else {
            output.append(contentsOf: text)
            return
        }
        output.append(quote)
        for byte in text {
            if byte == quote { output.append(quote) }
            output.append(byte)
        }
        output.append(quote)
    }

    /// One field as it was read: nil if it is empty and not quoted.
    typealias Record = [[UInt8]?]

    enum Outcome: Equatable {
        case records([Record])
        /// A quote is left open, stands within an unquoted field, or is followed by more than a separator.
        case notCSV(line: Int)
        case wrongFieldCount(line: Int)
        case tooManyRecords(line: Int)
    }

    /// Reads records of exactly so many fields. Both counts are checked while reading: an empty field costs one byte
    /// of text, and far more in memory. A line end after the last record is no record of its own.
    static func parse(_ text: [UInt8], fields: Int, records maximum: Int) -> Outcome {
        var records: [Record] = []
        var record: Record = []
        var at = 0
        // A separator or a line's begin promises one more field.
        var isFieldDue = !text.isEmpty
        while isFieldDue {
            let number = records.count + 1
            guard record.count < fields else { return .wrongFieldCount(line: number) }
            guard let field = field(text, &at) else { return .notCSV(line: number) }
            record.append(field)
            if at < text.count, text[at] == 0x2C {
                at += 1
                continue
            }
            if at < text.count {
                if text[at] == 0x0D, at + 1 < text.count, text[at + 1] == 0x0A { at += 1 }
                guard text[at] == 0x0A else { return .notCSV(line: number) }
                at += 1
            }
            guard record.count == fields else { return .wrongFieldCount(line: number) }
            guard records.count < maximum else { return .tooManyRecords(line: number) }
            records.append(record)
            record = []
            isFieldDue = at < text.count
        }
        return .records(records)
    }

    /// One field and the place after it; nil if its quotes are wrong.
    private static func field(_ text: [UInt8], _ at: inout Int) -> [UInt8]?? {
        guard at < text.count, text[at] == quote else {
            let start = at
            while at < text.count, text[at] != 0x2C, text[at] != 0x0A, text[at] != 0x0D {
                guard text[at] != quote else { return nil }
                at += 1
            }
            return .some(at > start ? Array(text[start..<at]) : nil)
        }
        var bytes: [UInt8] = []
        at += 1
        while at < text.count {
            let byte = text[at]
            at += 1
            if byte == quote {
                guard at < text.count, text[at] == quote else { return .some(bytes) }
                at += 1
            }
            bytes.append(byte)
        }
        return nil
    }
}

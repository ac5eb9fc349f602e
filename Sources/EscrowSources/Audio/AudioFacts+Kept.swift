internal import EscrowTabular

/// A byte that tells which numbers there are, the numbers in eight bytes each, then the texts: the field's number, the length in two
/// bytes, the bytes.
extension AudioFacts: FileFacts {
    static let indexName = "audio"
    static let indexVersion = 1

    func append(to bytes: inout [UInt8]) -> Bool {
        let start = bytes.count
        let words = [duration?.bitPattern, recorded.map { UInt64(bitPattern: $0.microseconds) }]
        bytes.append(words.enumerated().reduce(0) { $0 | ($1.element == nil ? 0 : 1 << UInt8($1.offset)) })
        for word in words.compactMap(\.self) {
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        }
        for field in Field.allCases {
            guard let text = text(field) else { continue }
            guard let count = UInt16(exactly: text.count) else {
                bytes.removeSubrange(start...)
                return false
            }
            bytes.append(field.rawValue)
            withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: text)
        }
        return true
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let flags = bytes.first, flags < 4 else { return nil }
        var at = 1
        for bit in 0..<2 as Range<UInt8> where flags & (1 << bit) != 0 {
            guard bytes.count - at >= 8 else { return nil }
            let word = FactsRecord.word(bytes, at)
            at += 8
            if bit == 0 {
                duration = Double(bitPattern: word)
            } else {
                guard let moment = Timestamp(microseconds: Int64(bitPattern: word)) else { return nil }
                recorded = moment
            }
        }
        var last: UInt8?
        while at < bytes.count {
            guard bytes.count - at >= 3, let field = Field(rawValue: bytes[at]),
                last.map({ $0 < field.rawValue }) ?? true
            else { return nil }
            last = field.rawValue
            let count = Int(
                UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: at + 1, as: UInt16.self)))
            at += 3
            guard count > 0, count <= bytes.count - at else { return nil }
            let text = Array(bytes[at..<at + count])
            guard TextRepair.isValidUTF8(text[...]), !text.contains(0) else { return nil }
            restore(field, text)
            at += count
        }
    }
}

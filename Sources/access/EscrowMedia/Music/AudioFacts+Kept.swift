internal import EscrowFormats
internal import EscrowMediaFormats
internal import EscrowTableKit
internal import EscrowTabular

/// A byte that tells which numbers there are, the numbers, then the texts as fields.
extension AudioFacts: FileFacts {
    static let indexName = "audio"
    static let indexVersion = 1

    func append(to bytes: inout [UInt8]) -> Bool {
        let start = bytes.count
        let numbers = [duration?.bitPattern, recorded.map { UInt64(bitPattern: $0.microseconds) }]
        bytes.append(numbers.enumerated().reduce(0) { $0 | ($1.element == nil ? 0 : 1 << UInt8($1.offset)) })
        for number in numbers.compactMap(\.self) { bytes.keep(number) }
        guard bytes.keep(fields: text) else {
            bytes.removeSubrange(start...)
            return false
        }
        return true
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = KeptReader(bytes)
        guard let flags = reader.byte(), flags < 4 else { return nil }
        self.init()
        if flags & 1 != 0 {
            guard let number = reader.number() else { return nil }
            duration = Double(bitPattern: number)
        }
        if flags & 2 != 0 {
            guard let number = reader.number(),
                let moment = Timestamp(microseconds: Int64(bitPattern: number))
            else { return nil }
            recorded = moment
        }
        var texts = [Field: [UInt8]](minimumCapacity: Field.allCases.count)
        while !reader.isAtEnd {
            guard let (field, kept): (Field, _) = reader.field(), !kept.isEmpty else { return nil }
            let text = Array(kept)
            guard TextRepair.isValidUTF8(text[...]), !text.contains(0) else { return nil }
            texts[field] = text
        }
        restore(texts)
    }
}

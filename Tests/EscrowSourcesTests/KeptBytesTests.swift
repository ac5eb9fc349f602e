import Testing

@testable import EscrowTableKit

/// What is written of kept facts, byte for byte: an index of an earlier version must be read as it was meant.
@Suite("Kept numbers and texts")
struct KeptBytesTests {
    private enum Field: UInt8, CaseIterable { case one = 0, two, four = 4 }

    @Test("numbers, texts and fields have one form, and come back")
    func roundTrip() {
        var bytes: [UInt8] = []
        bytes.keep(0x0102)
        let isTextKept = bytes.keep("é".utf8)
        let areFieldsKept = bytes.keep { (field: Field) in field == .two ? nil : [field.rawValue][...] }
        #expect(isTextKept && areFieldsKept)
        #expect(bytes == [2, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0xC3, 0xA9, 0, 1, 0, 0, 4, 1, 0, 4])
        bytes.withUnsafeBytes { bytes in
            var reader = KeptReader(bytes)
            let (number, text) = (reader.number(), reader.text())
            #expect(number == 0x0102 && text?.elementsEqual([0xC3, 0xA9]) == true)
            for expected in [Field.one, .four] {
                let found: (field: Field, text: Slice<UnsafeRawBufferPointer>)? = reader.field()
                #expect(found?.field == expected && found?.text.elementsEqual([expected.rawValue]) == true)
            }
            #expect(reader.isAtEnd)
            let (byte, more, last) = (reader.byte(), reader.number(), reader.text())
            #expect(byte == nil && more == nil && last == nil)
        }
    }

    @Test("what does not fit is nil, and reading goes on from where it was")
    func bounds() {
        let bytes: [UInt8] = [4, 3, 0, 1, 2]
        bytes.withUnsafeBytes { bytes in
            var reader = KeptReader(bytes)
            var read: [UInt8] = []
            while !reader.isAtEnd {
                let field: (Field, Slice<UnsafeRawBufferPointer>)? = reader.field()
                let (number, text) = (reader.number(), reader.text(limit: 2))
                #expect(field == nil && number == nil && text == nil)
                guard let byte = reader.byte() else { break }
                read.append(byte)
            }
            #expect(bytes.elementsEqual(read))
        }
        var nothing = KeptReader(UnsafeRawBufferPointer(start: nil, count: 0))
        let (byte, text) = (nothing.byte(), nothing.text())
        #expect(nothing.isAtEnd && byte == nil && text == nil)
    }

    @Test(
        "a field that is unknown, comes twice or behind a later one is refused",
        arguments: [([0, 1, 4], 3), ([1, 0], 1), ([1, 1], 1), ([0, 2], 1), ([5], 0)] as [([UInt8], Int)])
    func order(numbers: [UInt8], count: Int) {
        let bytes: [UInt8] = numbers.flatMap { [$0, 0, 0] }
        let read = bytes.withUnsafeBytes { bytes in
            var reader = KeptReader(bytes)
            var fields: [Field] = []
            while let (field, _): (Field, _) = reader.field() { fields.append(field) }
            return fields.count
        }
        #expect(read == count)
    }

    @Test("a text that is too long leaves nothing behind")
    func tooLong() {
        let long = [UInt8](repeating: 1, count: 1 << 16)
        var bytes: [UInt8] = [7]
        let isTextKept = bytes.keep(long)
        #expect(!isTextKept && bytes == [7])
        let areFieldsKept = bytes.keep { (field: Field) in field == .four ? long[...] : [] }
        #expect(!areFieldsKept && bytes == [7])
        let isLongestKept = bytes.keep(long.dropLast())
        #expect(isLongestKept && bytes.count == 1 + 2 + 65_535)
    }
}

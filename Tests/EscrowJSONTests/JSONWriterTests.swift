import EscrowJSON
import Testing

/// The writer looks at eight bytes at once; what it writes must not show that.
@Suite struct JSONWriterTests {
    /// RFC 8259, section 7, one byte at a time.
    private func spelled(_ bytes: [UInt8]) -> [UInt8] {
        var text = Array("\"".utf8)
        for byte in bytes {
            switch byte {
            case 0x22, 0x5C: text += [0x5C, byte]
            case 0x0A: text += Array("\\n".utf8)
            case 0x0D: text += Array("\\r".utf8)
            case 0x09: text += Array("\\t".utf8)
            case 0..<0x20, 0x7F:
                let digits = String(byte, radix: 16)
                text += Array(("\\u00" + (digits.count == 1 ? "0" : "") + digits).utf8)
            default: text.append(byte)
            }
        }
        return text + Array("\"".utf8)
    }

    @Test func everyByteAtEveryPlaceIsSpelledAsByItself() {
        for byte in UInt8.min...UInt8.max {
            for length in 1...18 {
                for place in 0..<length {
                    for filler: UInt8 in [0x61, 0x80, 0xFF, 0x20, 0x21] {
                        var bytes = [UInt8](repeating: filler, count: length)
                        bytes[place] = byte
                        var written: [UInt8] = []
                        JSONWriter.append(utf8: bytes, to: &written)
                        guard written != spelled(bytes) else { continue }
                        Issue.record("byte \(byte) at \(place) of \(length), among \(filler)")
                        return
                    }
                }
            }
        }
    }

    @Test func mixedBytesAreSpelledAsOneByOne() {
        var dice = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...70, using: &dice)).map { _ in
                [0x22, 0x5C, 0x7F, 0x0A, 0x00, 0x1F, 0x20, UInt8.random(in: 0...255)].randomElement()!
            }
            var written: [UInt8] = []
            JSONWriter.append(utf8: bytes.lazy.map { $0 }, to: &written)
            #expect(written == spelled(bytes), "\(bytes)")
        }
    }
}

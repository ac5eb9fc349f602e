import Testing

@testable import EscrowTabular

@Suite struct UTF8CheckTests {
    private func isWellFormed(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { isUTF8($0) } }

    @Test func itAgreesWithTheStandardLibraryOnRandomBytes() {
        var dice = SeededGenerator(seed: 10)
        // Bytes at the edges of every range of table 3-7, so that well-formed sequences are common.
        let edges: [UInt8] = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
            0xEC,
            0xED,
            0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        var good = 0
        for _ in 0..<200_000 {
            let bytes = (0..<Int.random(in: 0...5, using: &dice)).map { _ in
                edges.randomElement(using: &dice) ?? 0
            }
            let expected = String(validating: bytes, as: UTF8.self) != nil
            #expect(isWellFormed(bytes) == expected)
            if expected { good += 1 }
        }
        #expect(good > 1_000)
    }

    @Test func everyScalarIsWellFormed() {
        for value in UInt32(0)...0x10_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            if !isWellFormed(Array(String(scalar).utf8)) { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test func longTextIsCheckedToItsEnd() {
        for length in 0..<40 {
            let ascii = [UInt8](repeating: 0x61, count: length)
            #expect(isWellFormed(ascii))
            #expect(isWellFormed(ascii + [0xC3, 0xA9]))
            #expect(!isWellFormed(ascii + [0xC3]))
            #expect(!isWellFormed(ascii + [0x80] + ascii))
        }
    }
}

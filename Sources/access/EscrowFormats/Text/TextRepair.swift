internal import EscrowSourceFiles

/// Turns bytes that claim to be UTF-8 into bytes that are.
package enum TextRepair {
    /// Appends text to `output`: valid UTF-8 as it is, anything else as Windows-1252, the charset that old phones and
    /// address books wrote without saying so. NUL is left out: it ends strings in C and hides what follows it.
    package static func append(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
        if isPlain(bytes) {
            output.append(contentsOf: bytes)
            return
        }
        if isValidUTF8(bytes) {
            output.append(contentsOf: bytes.lazy.filter { $0 != 0 })
            return
        }
        for byte in bytes where byte != 0 {
            if byte < 0x80 {
                output.append(byte)
            } else {
                let scalar = byte < 0xA0 ? windows1252[Int(byte - 0x80)] : UInt16(byte)
                appendScalar(scalar, to: &output)
            }
        }
    }

    /// Whether all bytes are ASCII without NUL, which is nearly always so.
    package static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { raw in
            var index = 0
            var seen: UInt64 = 0
            while index + 8 <= raw.count {
                let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                // The high bit of a byte is set in `seen` if the byte is not ASCII, or is zero.
                seen |= word | ((word &- 0x0101_0101_0101_0101) & ~word)
                index += 8
            }
            while index < raw.count {
                seen |= UInt64(raw[index] &- 1 | raw[index])
                index += 1
            }
            return seen & 0x8080_8080_8080_8080 == 0
        }
    }

    /// Whether the bytes are UTF-8 (RFC 3629).
    package static func isValidUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { $0.span.isUTF8 }
    }

    private static func appendScalar(_ scalar: UInt16, to output: inout [UInt8]) {
        if scalar < 0x800 {
            output.append(0xC0 | UInt8(scalar >> 6))
        } else {
            output.append(0xE0 | UInt8(scalar >> 12))
            output.append(0x80 | UInt8(scalar >> 6 & 0x3F))
        }
        output.append(0x80 | UInt8(scalar & 0x3F))
    }

    /// Windows-1252 from 0x80 to 0x9F; U+FFFD where it has no character.
    private static let windows1252: [UInt16] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
        0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
    ]
}

/// Quoted-printable (RFC 2045, 6.7) as vCard 2.1 uses it.
enum QuotedPrintable {
    /// Appends the decoded bytes to `output`. An `=` that no two hexadecimal digits follow stays as it is; one at the end is
    /// a soft break before nothing.
    static func decode(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "="), index + 2 < bytes.endIndex, let high = hexDigit(bytes[index + 1]),
                let low = hexDigit(bytes[index + 2])
            {
                output.append(high << 4 | low)
                index += 3
            } else if byte == UInt8(ascii: "="), index + 1 == bytes.endIndex {
                index += 1
            } else {
                output.append(byte)
                index += 1
            }
        }
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

internal import EscrowTabular
internal import Glibc

/// Times as Apple Health writes them: `2019-07-19 10:36:11 -0700`.
enum AppleTime {
    /// The width of a time, in bytes.
    private static let width = 25

    /// Reads a time; nil for anything else.
    static func read(_ text: UnsafePointer<CChar>?) -> Timestamp? {
        guard let text, strlen(text) == width, text[19] == 0x20 else { return nil }
        // The same without the space, and with a colon in the offset, is RFC 3339.
        return withUnsafeTemporaryAllocation(byteCount: width, alignment: 1) { buffer in
            for index in 0..<width {
                let byte = index < 19 || index > 22 ? text[index] : text[index + 1]
                buffer[index] = index == 22 ? UInt8(ascii: ":") : UInt8(bitPattern: byte)
            }
            return Timestamp(iso8601: UnsafeRawBufferPointer(buffer))
        }
    }
}

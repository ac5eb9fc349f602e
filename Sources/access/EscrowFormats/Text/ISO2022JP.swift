/// ISO-2022-JP (RFC 1468), the charset of most older Japanese mail, turned into EUC-JP, which ``Charset`` converts.
///
/// The C library knows it as well, but its converters with state are not let near hostile bytes. This one has three states
/// and copies bytes.
enum ISO2022JP {
    /// Whether a charset's name means it.
    static func isNamed(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.equalsIgnoringCase("ISO-2022-JP") }

    /// Appends `bytes` to `output` as UTF-8; false if the C library lacks EUC-JP. Escape sequences other than those of the RFC
    /// are passed over.
    static func convert(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) -> Bool {
        var euc: [UInt8] = []
        euc.reserveCapacity(bytes.count)
        var isDouble = false
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == 0x1B {
                let escape = bytes[(index + 1)...].prefix(2)
                // `$@` and `$B` are JIS X 0208, `(B` is ASCII and `(J` its Japanese sister.
                if escape.elementsEqual("$@".utf8) || escape.elementsEqual("$B".utf8) {
                    isDouble = true
                } else if escape.first == UInt8(ascii: "(") {
                    isDouble = false
                }
                index += 1 + escape.count
                continue
            }
            let isGraphic = byte >= 0x21 && byte <= 0x7E
            euc.append(isDouble && isGraphic ? byte | 0x80 : byte & 0x7F)
            index += 1
        }
        return Charset(Array("EUC-JP".utf8)[...])?.convert(euc[...], into: &output) ?? false
    }
}

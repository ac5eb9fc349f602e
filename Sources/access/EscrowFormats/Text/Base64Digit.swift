extension UInt8 {
    /// The six bits that a letter of base 64 stands for (RFC 4648, 4); nil for any other byte.
    package var base64Digit: UInt8? {
        switch self {
        case 0x41...0x5A: self - 0x41
        case 0x61...0x7A: self - 0x61 + 26
        case 0x30...0x39: self - 0x30 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

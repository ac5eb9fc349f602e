extension Span<UInt8> {
    /// Whether the bytes are well-formed UTF-8: no overlong form, no surrogate, nothing above U+10FFFF.
    package var isUTF8: Bool { (try? UTF8Span(validating: self)) != nil }
}

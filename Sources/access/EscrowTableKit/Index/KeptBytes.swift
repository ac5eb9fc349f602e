/// The form of what is kept: numbers in eight bytes and texts behind their lengths in two, the lowest byte
/// first. Facts that are mostly texts write them as fields: a number in one byte, then the text, in the
/// order of the numbers. ``KeptReader`` reads it.
extension [UInt8] {
    @inlinable package mutating func keep(_ number: UInt64) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends a text; false, and nothing appended, if it is longer than its length in two bytes can tell.
    @inlinable package mutating func keep(_ text: some Collection<UInt8>) -> Bool {
        guard let count = UInt16(exactly: text.count) else { return false }
        Swift.withUnsafeBytes(of: count.littleEndian) { append(contentsOf: $0) }
        append(contentsOf: text)
        return true
    }

    /// Appends the fields that have a text, which must be declared in the order of their numbers; false, and
    /// nothing appended, if a text is too long.
    @inlinable package mutating func keep<Field: RawRepresentable<UInt8> & CaseIterable>(
        fields text: (Field) -> ArraySlice<UInt8>?
    ) -> Bool {
        let start = count
        for field in Field.allCases {
            guard let text = text(field) else { continue }
            append(field.rawValue)
            guard keep(text) else {
                removeSubrange(start...)
                return false
            }
        }
        return true
    }
}

internal import EscrowTabular

/// Times as GPX writes them (`xsd:dateTime`).
enum GPXTime {
    /// Reads `2026-03-01T12:00:00Z`, with a fraction or an offset. A time without a zone is UTC, as the GPX schema
    /// demands of all times.
    static func read(_ text: ArraySlice<UInt8>) -> Timestamp? {
        guard text.count >= 19, text.count <= 40 else { return nil }
        let string = String(decoding: text, as: UTF8.self)
        return Timestamp(iso8601: string) ?? Timestamp(iso8601: string + "Z")
    }
}

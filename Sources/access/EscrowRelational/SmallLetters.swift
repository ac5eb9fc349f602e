/// The text of a statement in which names are looked for, by SQLite's own rule: ASCII letters without case.
struct SmallLetters {
    private let bytes: [UInt8]

    init(_ text: [UInt8]) { bytes = text.map(Self.small) }

    private static func small(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// Whether a name stands anywhere, be it as part of a longer word.
    func contain(_ name: String) -> Bool {
        let name = name.utf8.map(Self.small)
        guard let first = name.first else { return true }
        var at = 0
        while at + name.count <= bytes.count {
            if bytes[at] == first, bytes[at..<at + name.count].elementsEqual(name) { return true }
            at += 1
        }
        return false
    }
}

package import EscrowSourceFiles

/// The numbers (UID) that stand more than once in a calendar file: only such events can be revisions of each other.
///
/// Found by their lines alone, which takes a small part of the time that reading the events takes. A line that is folded within
/// the first bytes of its number is missed; numbers that begin alike are taken for one. Who asks has to look closer.
package struct RepeatedUIDs {
    /// The most numbers of one file.
    private static let limit = 2 << 20
    /// How many bytes of a number are compared.
    private static let length = 40

    private var hashes: Set<UInt64> = []

    /// No number at all.
    package init() {}

    package init(_ file: consuming Descriptor, size: Int64) {
        var reader = BlockReader(file, limit: size)
        var all: [UInt64] = []
        var isRevised = false
        while let piece = reader.next(), all.count < Self.limit {
            guard !piece.continuesLine, let value = Self.value(reader.buffer[piece.range]) else { continue }
            switch value.name {
            case .uid: all.append(Self.hash(value.text))
            case .sequence: isRevised = isRevised || value.text.trimmed.decimal ?? 0 > 0
            }
        }
        guard isRevised else { return }
        all.sort()
        for (index, hash) in all.enumerated().dropFirst() where all[index - 1] == hash { hashes.insert(hash) }
    }

    /// Whether the number stands elsewhere in the file as well; false at times where it does.
    package func contains(_ uid: [UInt8]) -> Bool {
        !hashes.isEmpty && hashes.contains(Self.hash(uid[...]))
    }

    private enum Name { case uid, sequence }

    /// What a line says, if it is one of the two that count here.
    private static func value(_ line: ArraySlice<UInt8>) -> (name: Name, text: ArraySlice<UInt8>)? {
        // Most lines are told by their first letter.
        guard let first = line.first, first | 0x20 == UInt8(ascii: "u") || first | 0x20 == UInt8(ascii: "s"),
            let colon = line.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let name = line[..<colon].prefix { $0 != UInt8(ascii: ";") }
        if name.equalsIgnoringCase("UID") { return (.uid, line[(colon + 1)...]) }
        return name.equalsIgnoringCase("SEQUENCE") ? (.sequence, line[(colon + 1)...]) : nil
    }

    /// FNV-1a of a number's first bytes.
    private static func hash(_ text: ArraySlice<UInt8>) -> UInt64 {
        text.trimmed.prefix(length).reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

import EscrowJSON

/// What the host vouches for, in the form of C2SP tlog-checkpoint: so many records, with this root.
///
/// The lines after the root are extensions of ours. They bind what a writer needs to go on, so that nothing on the disk
/// is believed that was not signed.
struct Checkpoint: Sendable, Equatable {
    /// The ledger's own random id, so that the head of one cannot be put beside the records of another.
    var ledger: String
    var size: UInt64
    /// The root of the tree over all of them.
    var root: [UInt8]
    /// The time of the last record: the floor for every check against a date.
    var time: LedgerTime
    /// Which file the records are in: it counts up whenever content was erased.
    var generation: UInt64
    /// Where the line of this checkpoint begins in that file.
    var offset: Int64
    /// The digest of the runs without an end.
    var open: [UInt8]
    /// The digest of all bytes of the file since the line of the checkpoint before, that line included; from the
    /// beginning where there is none.
    var covers: [UInt8]

    /// The name of a ledger in checkpoints, and of its key.
    static func origin(_ ledger: String) -> String { prefix + ledger }
    private static let prefix = "escrow-ledger/"

    var origin: String { Self.origin(ledger) }

    var text: String {
        """
        \(origin)
        \(size)
        \(Base64.encode(root))
        time \(time)
        file \(generation) \(offset)
        open \(Hex.string(open))
        covers \(Hex.string(covers))

        """
    }
}

extension Checkpoint {
    /// Reads a text; nil for anything that `text` would not write.
    init?(text: String) {
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        guard lines.count == 8, lines[7].isEmpty, lines[0].hasPrefix(Self.prefix),
            let size = UInt64(lines[1]), size > 0, size <= UInt64(Int64.max),
            let root = Base64.decode(lines[2]), root.count == 32,
            let time = Self.word("time ", lines[3]).flatMap({ LedgerTime($0) }),
            let file = Self.word("file ", lines[4])?.split(separator: " "), file.count == 2,
            let generation = UInt64(file[0]), let offset = Int64(file[1]), offset > 0,
            let open = Self.word("open ", lines[5]).flatMap({ Hex.read($0.utf8) }), open.count == 32,
            let covers = Self.word("covers ", lines[6]).flatMap({ Hex.read($0.utf8) }), covers.count == 32
        else { return nil }
        self.init(
            ledger: String(lines[0].dropFirst(Self.prefix.count)), size: size, root: root, time: time,
            generation: generation, offset: offset, open: open, covers: covers)
        guard self.text.utf8.elementsEqual(text.utf8), Self.isID(ledger) else { return nil }
    }

    private static func word(_ name: String, _ line: String) -> String? {
        line.hasPrefix(name) ? String(line.dropFirst(name.count)) : nil
    }

    private static func isID(_ text: String) -> Bool { Hex.read(text.utf8)?.count == 16 }
}

import EscrowJSON

/// What is left of a record in the log, where its content is not all there any more:
/// `{"commitment":"…","erased":17,"record":{…}}`, the same with `decayed`, or `{"commitment":"…","lost":17}`.
///
/// The commitment stays, and with it every root and proof. It does not bind the rest of the line: that is bound by the
/// checkpoint that covers it, and the record that it names must say the same.
struct ReducedLine: Sendable, Equatable {
    /// SHA-256(salt || record) of the record as it was.
    let commitment: [UInt8]
    let fate: Fate

    enum Fate: Sendable, Equatable {
        /// What remains, as a record of the same place.
        case reduced(LedgerEntry.Reduction, record: [UInt8])
        /// Damage took the content; the number of the `repaired` record that says so.
        case lost(by: UInt64)
    }

    var leaf: [UInt8] { Hashing.leaf(commitment: commitment) }

    /// The number of the record that says what became of it.
    var by: UInt64 {
        switch fate {
        case .reduced(let reduction, _): reduction.by
        case .lost(let by): by
        }
    }

    /// The bytes of the line, without its end.
    var bytes: [UInt8] {
        var line = RecordLine.opening + Hex.bytes(commitment)
        switch fate {
        case .reduced(let reduction, let record):
            line += Array("\",\"\(reduction.way.rawValue)\":\(reduction.by),\"record\":".utf8) + record
        case .lost(let by): line += Array("\",\"lost\":\(by)".utf8)
        }
        line.append(UInt8(ascii: "}"))
        return line
    }

    init(commitment: [UInt8], fate: Fate) {
        self.commitment = commitment
        self.fate = fate
    }

    /// Takes a line apart; nil for another layout.
    init?(_ line: [UInt8]) {
        let start = RecordLine.opening.count
        guard line.starts(with: RecordLine.opening), line.count > start + 66, line.last == UInt8(ascii: "}"),
            let commitment = Hex.read(line[start..<start + 64])
        else { return nil }
        let rest = line[(start + 64)...].dropLast()
        guard let fate = Self.fate(rest) else { return nil }
        self.init(commitment: commitment, fate: fate)
        guard bytes == line else { return nil }
    }

    private static func fate(_ rest: ArraySlice<UInt8>) -> Fate? {
        for way in LedgerEntry.Reduction.Way.allCases {
            let name = Array("\",\"\(way.rawValue)\":".utf8)
            guard rest.starts(with: name) else { continue }
            let after = rest.dropFirst(name.count)
            let digits = after.prefix { $0 != UInt8(ascii: ",") }
            let middle = Array(",\"record\":".utf8)
            guard let by = UInt64(String(decoding: digits, as: UTF8.self)),
                after.dropFirst(digits.count).starts(with: middle)
            else { return nil }
            return .reduced(
                .init(way: way, by: by), record: Array(after.dropFirst(digits.count + middle.count)))
        }
        let name = Array("\",\"lost\":".utf8)
        guard rest.starts(with: name),
            let by = UInt64(String(decoding: rest.dropFirst(name.count), as: UTF8.self))
        else { return nil }
        return .lost(by: by)
    }

    /// What remains, as an entry; nil where nothing does.
    func entry() throws(RecordLine.Refusal) -> LedgerEntry? {
        guard case .reduced(let reduction, let record) = fate else { return nil }
        return try RecordLine.entry(record, commitment: commitment, reduced: reduction)
    }
}

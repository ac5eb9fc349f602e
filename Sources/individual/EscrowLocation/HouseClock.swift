import Glibc

/// The local time that rules about hours go by: of the machine's own time zone, whatever `TZ` says in the environment of whoever
/// started this program.
public enum HouseClock {
    /// The machine's time zone. Without it a machine is in UTC.
    static let path = "/etc/localtime"

    /// The minute of the local day, now.
    public static func minuteNow() -> Int { minute(of: Int64(time(nil)), in: path) }

    /// The minute of the local day of a moment, in seconds since 1970.
    static func minute(of seconds: Int64, in path: String) -> Int {
        let local = seconds + Int64(ZoneFile(bytes(path))?.offset(at: seconds) ?? 0)
        return Int((local % 86_400 + 86_400) % 86_400 / 60)
    }

    private static func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        let limit = bytes.count
        let count = fread(&bytes, 1, limit, file)
        return Array(bytes.prefix(count))
    }
}

/// A file of time zones (RFC 9636), as far as offsets from UTC go.
struct ZoneFile {
    private var transitions: [Int64] = []
    private var kinds: [Int] = []
    private var offsets: [Int] = []
    private var rule: ZoneRule?

    /// Nil for what is none.
    init?(_ bytes: [UInt8]) {
        guard let first = Header(bytes[...]) else { return nil }
        var wide = false
        var rest = bytes.dropFirst(Header.length)
        var header = first
        if first.version >= 0x32 {
            // The second block has times of 64 bits; the first is for readers without.
            rest = rest.dropFirst(first.size(4))
            guard let second = Header(rest) else { return nil }
            (header, wide, rest) = (second, true, rest.dropFirst(Header.length))
        }
        let width = wide ? 8 : 4
        guard header.types > 0, rest.count >= header.size(width) else { return nil }
        var body = Array(rest)
        for index in 0..<header.times {
            transitions.append(Self.number(body[index * width..<(index + 1) * width]))
        }
        body.removeFirst(header.times * width)
        kinds = body.prefix(header.times).map(Int.init)
        body.removeFirst(header.times)
        for index in 0..<header.types {
            offsets.append(Int(Self.number(body[index * 6..<index * 6 + 4])))
        }
        guard kinds.allSatisfy({ $0 < offsets.count }), offsets.allSatisfy({ $0.magnitude < 90_000 }) else {
            return nil
        }
        if wide {
            let footer = rest.dropFirst(header.size(width))
            rule = ZoneRule(footer.dropFirst().prefix { $0 != 0x0A })
        }
    }

    /// Seconds east of UTC.
    func offset(at seconds: Int64) -> Int {
        guard let last = transitions.last else { return rule?.offset(at: seconds) ?? offsets[0] }
        if seconds >= last, let rule { return rule.offset(at: seconds) }
        guard let index = transitions.lastIndex(where: { $0 <= seconds }) else { return offsets[0] }
        return offsets[kinds[index]]
    }

    private struct Header {
        static let length = 44
        let version: UInt8
        let counts: [Int]
        var times: Int { counts[3] }
        var types: Int { counts[4] }

        init?(_ bytes: ArraySlice<UInt8>) {
            let bytes = Array(bytes.prefix(Self.length))
            guard bytes.count == Self.length, bytes.starts(with: "TZif".utf8) else { return nil }
            version = bytes[4]
            counts = (0..<6).map { Int(ZoneFile.number(bytes[20 + $0 * 4..<24 + $0 * 4])) }
            guard counts.allSatisfy({ (0...10_000).contains($0) }) else { return nil }
        }

        /// Of what follows, in bytes, by the width of a time.
        func size(_ width: Int) -> Int {
            times * (width + 1) + types * 6 + counts[5] + counts[2] * (width + 4) + counts[1] + counts[0]
        }
    }

    /// Two's complement, the highest byte first.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let start: Int64 = (bytes.first ?? 0) & 0x80 == 0 ? 0 : -1
        return bytes.reduce(start) { $0 << 8 | Int64($1) }
    }
}

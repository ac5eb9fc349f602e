internal import EscrowSourceFiles
internal import Glibc

/// Reads the machine's time zone files (TZif, RFC 9636).
///
/// Our own reader, because the C library knows one zone at a time, for the whole process, set by an environment variable.
enum ZoneFile {
    /// Where the machine keeps its zones.
    static let folder = "/usr/share/zoneinfo"
    private static let sizeLimit = 1 << 20

    /// The rules of a zone such as `Europe/Berlin`; nil if the machine has none of that name.
    static func load(_ name: String) -> ZoneRules? {
        guard isName(name), let file = Descriptor.openingRootFile(folder + "/" + name),
            let status = file.status(), status.st_mode & S_IFMT == S_IFREG, status.st_size <= sizeLimit
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard let count = file.read(into: &bytes, range: 0..<bytes.count, at: 0), count == bytes.count else {
            return nil
        }
        return parse(bytes)
    }

    /// Whether a name from a hostile file may become part of a path: no way up, no hidden file, no absolute path.
    static func isName(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= 64, !name.hasPrefix("/"), !name.hasSuffix("/") else {
            return false
        }
        var previous = UInt8(ascii: "/")
        for byte in name.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: break
            case UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "/"):
                if previous == UInt8(ascii: "/") { return false }
            default: return false
            }
            previous = byte
        }
        return true
    }

    /// Reads the content of a zone file: the block with 64-bit times, and the rule after it.
    static func parse(_ bytes: [UInt8]) -> ZoneRules? {
        guard let first = Header(bytes, at: 0), first.version >= 0x32 else { return nil }
        let start = Header.size + first.length(timeSize: 4)
        guard let header = Header(bytes, at: start) else { return nil }
        let times = start + Header.size
        guard bytes.count - times >= header.length(timeSize: 8), header.types > 0 else { return nil }
        let indices = times + header.transitions * 8
        let types = indices + header.transitions
        func offset(_ type: Int) -> Int { Int(Int32(truncatingIfNeeded: big(bytes, types + type * 6, 4))) }
        var rules = ZoneRules(transitions: [], offsets: [], initial: offset(0))
        for index in 0..<header.transitions {
            let type = Int(bytes[indices + index])
            let moment = big(bytes, times + index * 8, 8)
            guard type < header.types, rules.transitions.last.map({ $0 < moment }) ?? true else { return nil }
            rules.transitions.append(moment)
            rules.offsets.append(offset(type))
        }
        let footer = times + header.length(timeSize: 8)
        if footer < bytes.count, bytes[footer] == 0x0A {
            let text = bytes[(footer + 1)...].prefix { $0 != 0x0A }
            if !text.isEmpty { rules.rest = PosixZone(text) }
        }
        return rules
    }

    private struct Header {
        static let size = 44
        let version: UInt8
        let transitions: Int
        let types: Int
        private let others: (universal: Int, standard: Int, leaps: Int, characters: Int)

        init?(_ bytes: [UInt8], at start: Int) {
            guard bytes.count - start >= Self.size, bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
                return nil
            }
            version = bytes[start + 4]
            var counts: [Int] = []
            for index in 0..<6 { counts.append(big(bytes, start + 20 + index * 4, 4)) }
            // A file of 1 MiB holds no more of anything; so no sum of these overflows.
            guard counts.allSatisfy({ $0 <= ZoneFile.sizeLimit }) else { return nil }
            others = (counts[0], counts[1], counts[2], counts[5])
            transitions = counts[3]
            types = counts[4]
        }

        func length(timeSize: Int) -> Int {
            transitions * (timeSize + 1) + types * 6 + others.characters + others.leaps * (timeSize + 4)
                + others.standard + others.universal
        }
    }
}

/// A big-endian number; a number of eight bytes is signed.
private func big(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    var value: UInt64 = 0
    for byte in bytes[start..<start + count] { value = value << 8 | UInt64(byte) }
    return Int(Int64(bitPattern: value))
}

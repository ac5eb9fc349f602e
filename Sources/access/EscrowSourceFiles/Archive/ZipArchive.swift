internal import Glibc

/// A zip archive (PKWARE APPNOTE 6.3, with zip64) of which some entries are read.
///
/// An archive is read only if all of it is sound: its directory must agree with what stands before each entry, no two
/// entries may share bytes, and none may unpack to more than it announced, to more than its share, or to more than is
/// sensible. Archives in archives are not opened.
package final class ZipArchive {
    /// The most entries of an archive.
    package static let entryLimit = 1 << 19
    static let directoryLimit: Int64 = 64 << 20
    /// The most bytes that one entry may unpack to, and all that are read together.
    package static let sizeLimit: Int64 = 8 << 30
    static let totalLimit: Int64 = 16 << 30
    /// The most bytes that a byte of an entry may unpack to. Location histories reach 50; deflate ends at 1,032.
    static let ratioLimit: Int64 = 200
    /// Entries that unpack to no more are not asked for their ratio.
    static let smallSize: Int64 = 1 << 20

    /// Why an archive or an entry is not read.
    package struct Refusal: Error, Equatable {
        package let problem: FileProblem
        package init(_ reason: String) { problem = FileProblem(reason) }
        package init(_ problem: FileProblem) { self.problem = problem }

        package static let damaged = Refusal("a damaged or incomplete zip archive")
        static let overlap = Refusal("a zip archive whose entries share bytes")
        static let bomb = Refusal("a zip archive with an entry that unpacks to far too much")
        static let disagreement = Refusal("a zip archive whose directory and entries do not agree")
    }

    /// A file in the archive.
    package struct Entry: Sendable {
        /// Its path, of clean parts with strokes between them.
        package let name: String
        /// 0: as it is; 8: deflate.
        let method: Int
        let isEncrypted: Bool
        package let sum: UInt32
        let packedSize: Int64
        package let size: Int64
        /// Where its own header begins.
        package let offset: Int64
        /// Where the next entry begins, or the directory.
        package fileprivate(set) var bound: Int64
        /// What ``FileChoice/classifyMember(_:)`` said of it; nil for one that tells of others.
        package var kind: UInt8?
    }

    /// The entries that are wanted, in the order of the directory.
    package private(set) var entries: [Entry] = []
    package let file: SharedDescriptor
    private let size: Int64
    /// The most bytes that are unpacked of all entries, and how many were.
    let totalLimit: Int64
    var unpacked: Int64 = 0

    /// Whether a file begins as such an archive.
    package static func isZip(_ head: ArraySlice<UInt8>) -> Bool {
        head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6])
    }

    /// Reads the directory.
    ///
    /// - Parameter wants: which entries are to be read, by their path.
    package init(_ file: SharedDescriptor, size: Int64, wants: (_ name: String) -> Bool) throws(Refusal) {
        self.file = file
        self.size = size
        totalLimit = Self.totalLimit
        let (range, count) = try directory()
        let bytes = try read(at: range.lowerBound, count: Int(range.count))
        var starts: [(offset: Int64, end: Int64)] = []
        var at = 0
        for _ in 0..<count {
            guard let head = bytes.part(at, 46), head.little32(0) == 0x0201_4B50,
                let nameLength = head.little16(28),
                let extraLength = head.little16(30), let commentLength = head.little16(32),
                let name = bytes.part(at + 46, nameLength),
                let extra = bytes.part(at + 46 + nameLength, extraLength)
            else { throw .damaged }
            at += 46 + nameLength + extraLength + commentLength
            let entry = try Self.entry(head, name, extra)
            let end = entry.offset.addingReportingOverflow(30 + Int64(nameLength) + entry.packedSize)
            guard !end.overflow, end.partialValue <= range.lowerBound else { throw .damaged }
            starts.append((entry.offset, end.partialValue))
            if !entry.name.isEmpty, wants(entry.name) { entries.append(entry) }
        }
        guard at == bytes.count else { throw .damaged }
        starts.sort { $0.offset < $1.offset }
        for (entry, next) in zip(starts, starts.dropFirst()) where entry.end > next.offset { throw .overlap }
        for index in entries.indices {
            let offset = entries[index].offset
            var low = 0
            var high = starts.count
            while low < high {
                let middle = (low + high) / 2
                if starts[middle].offset <= offset { low = middle + 1 } else { high = middle }
            }
            entries[index].bound = low < starts.count ? starts[low].offset : range.lowerBound
        }
    }

    /// An archive whose directory was read before, to open entries that were found then: nothing is read yet.
    package init(knownBefore file: SharedDescriptor, size: Int64) {
        self.file = file
        self.size = size
        // Pictures and films hardly pack, and fill archives that are larger than that.
        totalLimit = max(Self.totalLimit, size.multipliedReportingOverflow(by: 2).partialValue)
    }

    /// Where an entry's content begins, by its own header, which must say what the directory says.
    func contentStart(_ entry: Entry) throws(Refusal) -> Int64 {
        let head = try read(at: entry.offset, count: 30)
        guard head.little32(0) == 0x0403_4B50, let flags = head.little16(6),
            let nameLength = head.little16(26),
            let extraLength = head.little16(28), let sum = head.little32(14), let packed = head.little32(18),
            let size = head.little32(22)
        else { throw .damaged }
        let name = try read(at: entry.offset + 30, count: nameLength)
        guard head.little16(8) == entry.method, flags & 1 == 0, Self.clean(name) == entry.name else {
            throw .disagreement
        }
        // A program that writes a stream does not know these yet.
        if flags & 8 == 0 {
            guard sum == Int(entry.sum), packed == 0xFFFF_FFFF || Int64(packed) == entry.packedSize,
                size == 0xFFFF_FFFF || Int64(size) == entry.size
            else { throw .disagreement }
        }
        let start = entry.offset + 30 + Int64(nameLength) + Int64(extraLength)
        guard start + entry.packedSize <= entry.bound else { throw .overlap }
        return start
    }

    /// Where the directory lies, and how many entries it has.
    private func directory() throws(Refusal) -> (Range<Int64>, Int) {
        let tailSize = min(size, 22 + 0xFFFF)
        guard tailSize >= 22 else { throw .damaged }
        let tail = try read(at: size - tailSize, count: Int(tailSize))
        var index = tail.count - 22
        while index >= 0 {
            // The comment behind it must end with the file, or anything that looks so could be one.
            if tail.little32(index) == 0x0605_4B50, tail.little16(index + 20) == tail.count - index - 22 {
                break
            }
            index -= 1
        }
        guard let end = tail.part(index, 22), index >= 0, let disk = end.little16(4),
            let first = end.little16(6),
            let here = end.little16(8), var count = end.little16(10), let shortSize = end.little32(12),
            let shortOffset = end.little32(16)
        else { throw .damaged }
        var length = Int64(shortSize)
        var offset = Int64(shortOffset)
        var limit = size - tailSize + Int64(index)
        if count == 0xFFFF || shortSize == 0xFFFF_FFFF || shortOffset == 0xFFFF_FFFF, limit >= 20 {
            let locator = try read(at: limit - 20, count: 20)
            if locator.little32(0) == 0x0706_4B50, let place = locator.little64(8) {
                let record = try read(at: place, count: 56)
                guard record.little32(0) == 0x0606_4B50, let long = record.little64(32),
                    let size = record.little64(40),
                    let start = record.little64(48), long <= Self.entryLimit
                else { throw .damaged }
                (count, length, offset, limit) = (Int(long), size, start, place)
            }
        } else {
            guard disk == 0, first == 0, here == count else {
                throw Refusal("a zip archive in several parts")
            }
        }
        guard count <= Self.entryLimit, length <= Self.directoryLimit else {
            throw Refusal("a zip archive with too many entries")
        }
        guard offset >= 0, length >= 0, offset <= limit, length <= limit - offset else { throw .damaged }
        return (offset..<offset + length, count)
    }

    private static func entry(
        _ head: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>, _ extra: ArraySlice<UInt8>
    ) throws(Refusal) -> Entry {
        guard let flags = head.little16(8), let method = head.little16(10), let sum = head.little32(16),
            let shortPacked = head.little32(20), let shortSize = head.little32(24),
            let shortOffset = head.little32(42)
        else { throw .damaged }
        var values = [Int64(shortSize), Int64(shortPacked), Int64(shortOffset)]
        if values.contains(0xFFFF_FFFF), let long = field(1, in: extra) {
            var at = 0
            for index in values.indices where values[index] == 0xFFFF_FFFF {
                guard let value = long.little64(at) else { throw .damaged }
                values[index] = value
                at += 8
            }
        }
        return Entry(
            name: clean(name), method: method, isEncrypted: flags & 1 != 0, sum: UInt32(sum),
            packedSize: values[1],
            size: values[0], offset: values[2], bound: 0)
    }

    /// An extra field's content, by its number.
    private static func field(_ number: Int, in extra: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var at = 0
        while let found = extra.little16(at), let length = extra.little16(at + 2) {
            if found == number { return extra.part(at + 4, length) }
            at += 4 + length
        }
        return nil
    }

    /// An entry's name; empty for a folder, and for a path that leads anywhere else than down. Nothing is ever written
    /// under such a name, but an entry with one is suspect, and is not read.
    private static func clean(_ bytes: ArraySlice<UInt8>) -> String {
        guard !bytes.contains(0), !bytes.contains(UInt8(ascii: "\\")),
            let name = String(validating: bytes, as: UTF8.self)
        else { return "" }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." } ? name : ""
    }

    /// Bytes of the archive itself.
    package func read(at offset: Int64, count: Int) throws(Refusal) -> ArraySlice<UInt8> {
        guard offset >= 0, offset <= size, Int64(count) <= size - offset else { throw .damaged }
        guard let bytes = file.bytes(at: offset, count: count) else {
            throw Refusal(.unreadable(errno: errno))
        }
        guard bytes.count == count else { throw .damaged }
        return bytes[...]
    }
}

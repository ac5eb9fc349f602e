internal import Glibc

/// Unpacks deflate (RFC 1951), piece by piece, in memory that does not depend on what it unpacks to.
///
/// In Swift, with every index checked, so that a hostile archive meets no C parser in the process that holds the data.
struct Inflater: ~Copyable {
    /// Why unpacking ended early.
    enum Failure: Error, Equatable {
        /// What is packed breaks a rule of the format, or ends too early.
        case damaged
        /// It unpacks to more than was announced.
        case tooLong
        /// The file cannot be read.
        case unreadable(errno: Int32)
        /// What takes the bytes cannot take more.
        case refused
    }

    /// How far back a copy may reach.
    private static let history = 32 << 10
    /// Bytes that are handed over at once.
    private static let pieceSize = 256 << 10

    private let file: SharedDescriptor
    private var position: Int64
    private let end: Int64
    private var block: [UInt8]
    private var blockCount = 0
    private var blockIndex = 0
    private var bits: UInt64 = 0
    private var bitCount = 0
    /// Zeros behind the end that stand in the bits; a code that used one is damaged.
    private var padding = 0

    private var output: [UInt8]
    private var filled = 0
    private var handedOver = 0
    private var total: Int64 = 0
    private let limit: Int64

    /// - Parameters:
    ///   - range: where in the file the packed bytes lie.
    ///   - limit: how many bytes they unpack to; one more is an error.
    init(_ file: SharedDescriptor, range: Range<Int64>, limit: Int64) {
        self.file = file
        position = range.lowerBound
        end = range.upperBound
        self.limit = limit
        block = [UInt8](repeating: 0, count: 64 << 10)
        output = [UInt8](repeating: 0, count: Self.history + Self.pieceSize)
    }

    /// Unpacks all of it.
    ///
    /// - Parameter sink: takes the bytes in order; false ends the unpacking.
    /// - Returns: how many bytes there were.
    mutating func run(_ sink: (ArraySlice<UInt8>) -> Bool) throws(Failure) -> Int64 {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try copyStored(sink)
            case 1: try unpack(Self.fixedLengths, Self.fixedDistances, sink)
            case 2:
                let (lengths, distances) = try dynamicCodes()
                try unpack(lengths, distances, sink)
            default: throw .damaged
            }
        }
        guard bitCount >= padding else { throw .damaged }
        try flush(sink)
        return total
    }

    // MARK: Bits

    private mutating func refill() throws(Failure) {
        while bitCount <= 56 {
            if blockIndex == blockCount {
                let wanted = Int(min(Int64(block.count), end - position))
                if wanted <= 0 {
                    // Codes are looked up by more bits than the last one may have.
                    bitCount += 8
                    padding += 8
                    guard padding <= 128 else { throw .damaged }
                    continue
                }
                guard let count = file.read(into: &block, range: 0..<wanted, at: position) else {
                    throw .unreadable(errno: errno)
                }
                guard count > 0 else { throw .damaged }
                position += Int64(count)
                blockCount = count
                blockIndex = 0
            }
            bits |= UInt64(block[blockIndex]) << UInt64(bitCount)
            blockIndex += 1
            bitCount += 8
        }
    }

    private mutating func take(_ count: Int) throws(Failure) -> Int {
        if bitCount < count { try refill() }
        let value = Int(bits & (1 << UInt64(count) - 1))
        drop(count)
        return value
    }

    private mutating func drop(_ count: Int) {
        bits >>= UInt64(count)
        bitCount -= count
    }

    private mutating func symbol(_ code: HuffmanCode) throws(Failure) -> Int {
        if bitCount < 15 { try refill() }
        let entry = code.table[Int(truncatingIfNeeded: bits) & code.mask]
        guard entry != 0 else { throw .damaged }
        drop(Int(entry & 15))
        return Int(entry >> 4)
    }

    // MARK: Blocks

    private mutating func copyStored(_ sink: (ArraySlice<UInt8>) -> Bool) throws(Failure) {
        drop(bitCount & 7)
        let length = try take(16)
        guard try take(16) == length ^ 0xFFFF else { throw .damaged }
        for _ in 0..<length {
            let byte = try take(8)
            guard bitCount >= padding else { throw .damaged }
            try append(UInt8(truncatingIfNeeded: byte), sink)
        }
    }

    private mutating func unpack(
        _ lengths: HuffmanCode, _ distances: HuffmanCode, _ sink: (ArraySlice<UInt8>) -> Bool
    ) throws(Failure) {
        while true {
            let symbol = try symbol(lengths)
            // Zeros behind the end decode to something for ever.
            guard bitCount >= padding else { throw .damaged }
            if symbol < 256 {
                try append(UInt8(truncatingIfNeeded: symbol), sink)
                continue
            }
            if symbol == 256 { return }
            guard symbol < 286 else { throw .damaged }
            let length = Self.lengthBases[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
            let place = try self.symbol(distances)
            guard place < 30 else { throw .damaged }
            let distance = Self.distanceBases[place] + (try take(Self.distanceBits[place]))
            guard distance <= filled, Int64(distance) <= total else { throw .damaged }
            for _ in 0..<length { try append(output[filled - distance], sink) }
        }
    }

    private mutating func append(_ byte: UInt8, _ sink: (ArraySlice<UInt8>) -> Bool) throws(Failure) {
        guard total < limit else { throw .tooLong }
        if filled == output.count { try flush(sink) }
        output[filled] = byte
        filled += 1
        total += 1
    }

    /// Hands over what is new, and keeps what copies may reach back to.
    private mutating func flush(_ sink: (ArraySlice<UInt8>) -> Bool) throws(Failure) {
        if handedOver < filled, !sink(output[handedOver..<filled]) { throw .refused }
        let kept = min(filled, Self.history)
        output.replaceSubrange(0..<kept, with: Array(output[filled - kept..<filled]))
        filled = kept
        handedOver = kept
    }

    private mutating func dynamicCodes() throws(Failure) -> (HuffmanCode, HuffmanCode) {
        let lengthCount = try take(5) + 257
        let distanceCount = try take(5) + 1
        let codeCount = try take(4) + 4
        guard lengthCount <= 286, distanceCount <= 30 else { throw .damaged }
        var codeLengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<codeCount { codeLengths[Self.codeOrder[index]] = UInt8(try take(3)) }
        guard let code = HuffmanCode(codeLengths) else { throw .damaged }
        var lengths: [UInt8] = []
        while lengths.count < lengthCount + distanceCount {
            let symbol = try symbol(code)
            switch symbol {
            case 0...15: lengths.append(UInt8(symbol))
            case 16:
                guard let last = lengths.last else { throw .damaged }
                lengths += repeatElement(last, count: try take(2) + 3)
            case 17: lengths += repeatElement(0, count: try take(3) + 3)
            default: lengths += repeatElement(0, count: try take(7) + 11)
            }
        }
        guard lengths.count == lengthCount + distanceCount, lengths[256] != 0,
            let first = HuffmanCode(Array(lengths[..<lengthCount])),
            let second = HuffmanCode(Array(lengths[lengthCount...]), mayBeShort: true)
        else { throw .damaged }
        return (first, second)
    }

    private static let codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
        195, 227, 258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049,
        3_073, 4_097,
        6_145, 8_193, 12_289, 16_385, 24_577,
    ]
    private static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
    private static let fixedLengths = HuffmanCode(
        [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
            + [UInt8](repeating: 7, count: 24)
            + [UInt8](repeating: 8, count: 8))!
    private static let fixedDistances = HuffmanCode([UInt8](repeating: 5, count: 32))!
}

/// A canonical Huffman code of deflate as one table: looked up by as many bits as its longest word has.
struct HuffmanCode: Sendable {
    /// The symbol times 16 and the length of its word; 0 where no word begins so.
    let table: [UInt16]
    /// What is looked at of the next bits.
    let mask: Int

    /// Makes the code of these lengths, 0 for symbols without a word; nil if the lengths are those of no code.
    ///
    /// - Parameter mayBeShort: whether one word of one bit, or none, will do, as RFC 1951 grants to distances.
    init?(_ lengths: [UInt8], mayBeShort: Bool = false) {
        var counts = [Int](repeating: 0, count: 16)
        for length in lengths { counts[Int(length)] += 1 }
        counts[0] = 0
        let longest = counts.lastIndex { $0 > 0 } ?? 0
        var left = 1
        for length in 1...15 {
            left = left << 1 - counts[length]
            guard left >= 0 else { return nil }
        }
        let words = counts.reduce(0, +)
        guard left == 0 || (mayBeShort && words <= 1 && longest <= 1) else { return nil }
        let bits = max(1, longest)
        var next = [Int](repeating: 0, count: 16)
        var word = 0
        for length in 1...15 {
            word = (word + counts[length - 1]) << 1
            next[length] = word
        }
        var table = [UInt16](repeating: 0, count: 1 << bits)
        for (symbol, length) in lengths.enumerated() where length > 0 {
            let length = Int(length)
            var reversed = 0
            for bit in 0..<length where next[length] >> bit & 1 == 1 { reversed |= 1 << (length - 1 - bit) }
            next[length] += 1
            let entry = UInt16(symbol << 4 | length)
            for index in stride(from: reversed, to: table.count, by: 1 << length) { table[index] = entry }
        }
        self.table = table
        mask = table.count - 1
    }
}

/// The check sum of zip and gzip (CRC-32, IEEE 802.3).
struct CRC32 {
    private var state: UInt32 = 0xFFFF_FFFF

    /// The sum of what was added.
    var value: UInt32 { ~state }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        var state = state
        for byte in bytes { state = Self.table[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8 }
        self.state = state
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
}

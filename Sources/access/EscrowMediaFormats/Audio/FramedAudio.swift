internal import EscrowSourceFiles

/// The length of sound that is frames and nothing else: AAC in ADTS (ISO/IEC 13818-7, 6.2) and ADIF (6.1), and AMR (RFC 4867, 5).
///
/// Such files do not tell it. Frames are counted through the first mebibyte; what lies behind is taken to be like that.
enum FramedAudio {
    /// The most bytes whose frames are counted.
    private static let countedBytes: Int64 = 1 << 20
    private static let blockSize = 64 << 10

    /// Whether a frame of ADTS may begin so.
    static func isADTS(_ head: ArraySlice<UInt8>) -> Bool {
        head.big16(0).map { $0 & 0xFFF6 == 0xFFF0 } ?? false
    }

    /// The length in seconds of AAC from `start` to `end`; nil if there are not two frames, or one that is all there is.
    static func lengthOfADTS(_ file: inout WindowedFile, from start: Int64, to end: Int64) -> Double? {
        length(&file, from: start, to: end, headSize: 7) { head in
            guard isADTS(head), let second = head.byte(2), let word = head.big32(3), let last = head.byte(6),
                let rate = rates[Int(second >> 2 & 15)]
            else { return nil }
            let length = word >> 13 & 0x1FFF
            return length >= 7 ? (length, 1_024 * Double(last & 3 + 1) / rate) : nil
        }
    }

    /// By the number in a frame; the last three mean something else.
    private static let rates: [Int: Double] = [
        0: 96_000, 1: 88_200, 2: 64_000, 3: 48_000, 4: 44_100, 5: 32_000, 6: 24_000, 7: 22_050, 8: 16_000,
        9: 12_000, 10: 11_025, 11: 8_000, 12: 7_350,
    ]

    /// What AAC in ADIF begins with.
    private static let adif = Array("ADIF".utf8)

    static func isADIF(_ head: ArraySlice<UInt8>) -> Bool { head.starts(with: adif) }

    /// The length in seconds of AAC in ADIF by its bit rate, as far as it tells one. The header, some thirty bytes, is counted
    /// with the sound.
    static func lengthOfADIF(_ file: inout WindowedFile, from start: Int64) -> Double? {
        guard let head = file.bytes(at: start, count: 17), let first = head.byte(4) else { return nil }
        // A flag says whether nine bytes of a copyright number follow; behind them are three more flags and the rate.
        guard let word = head.big32(first >> 7 == 1 ? 13 : 4) else { return nil }
        let rate = (word >> 5) & 0x7F_FFFF
        return rate > 0 ? Double(file.size - start) * 8 / Double(rate) : nil
    }

    /// What AMR for telephones, and that of a wider band, begin with.
    private static let narrow = Array("#!AMR\n".utf8)
    private static let wide = Array("#!AMR-WB\n".utf8)

    static func isAMR(_ head: ArraySlice<UInt8>) -> Bool {
        head.starts(with: narrow) || head.starts(with: wide)
    }

    /// The length in seconds of AMR; nil if no frame follows what it begins with.
    static func lengthOfAMR(_ file: inout WindowedFile) -> Double? {
        guard let head = file.available(at: 0, upTo: wide.count) else { return nil }
        let isWide = head.starts(with: wide)
        let sizes = isWide ? wideSizes : narrowSizes
        let start = Int64(isWide ? wide.count : narrow.count)
        return length(&file, from: start, to: file.size, headSize: 1) { head in
            guard let first = head.byte(0), let size = sizes[Int(first >> 3 & 15)] else { return nil }
            return (size, 0.02)
        }
    }

    /// The bytes of a frame of 20 ms with its head, by its type; 15 is silence that was not sent.
    private static let narrowSizes = [
        0: 13, 1: 14, 2: 16, 3: 18, 4: 20, 5: 21, 6: 27, 7: 32, 8: 6, 15: 1,
    ]
    private static let wideSizes = [
        0: 18, 1: 24, 2: 33, 3: 37, 4: 41, 5: 47, 6: 51, 7: 59, 8: 61, 9: 6, 14: 1, 15: 1,
    ]

    /// - Parameter frame: a frame's length in bytes and in seconds, by its head; nil if it is none.
    private static func length(
        _ file: inout WindowedFile, from start: Int64, to end: Int64, headSize: Int,
        _ frame: (ArraySlice<UInt8>) -> (bytes: Int, seconds: Double)?
    ) -> Double? {
        var offset = start
        var seconds = 0.0
        var count = 0
        scan: while offset < end, offset - start < countedBytes {
            let size = Int(min(Int64(blockSize), end - offset))
            guard let block = file.available(at: offset, upTo: size), block.count >= headSize else { break }
            var index = 0
            while index <= block.count - headSize {
                guard let head = block.part(index, headSize), let found = frame(head) else { break scan }
                // One that the end cuts off is not heard.
                guard Int64(found.bytes) <= end - offset - Int64(index) else {
                    offset += Int64(index)
                    break scan
                }
                index += found.bytes
                seconds += found.seconds
                count += 1
            }
            guard index > 0 else { break }
            offset += Int64(index)
        }
        let counted = offset - start
        guard counted > 0, count > 1 || offset == end else { return nil }
        return counted < countedBytes ? seconds : seconds * Double(end - start) / Double(counted)
    }
}

internal import EscrowSourceFiles

/// The length of MPEG audio, layers I to III (ISO/IEC 11172-3, 13818-3), from its first frame.
enum MPEGAudio {
    /// How far behind the tag the first frame may begin.
    private static let searchLimit = 64 << 10

    /// A frame's header.
    private struct Frame {
        let isVersion1: Bool
        let isMono: Bool
        let bitsPerSecond: Int
        let samplesPerSecond: Int
        let samples: Int
        let length: Int

        init?(_ bytes: ArraySlice<UInt8>) {
            guard let word = bytes.big32(0), word >> 21 == 0x7FF else { return nil }
            let version = word >> 19 & 3
            let layer = 4 - (word >> 17 & 3)
            let rate = word >> 12 & 15
            let frequency = word >> 10 & 3
            guard version != 1, layer < 4, rate > 0, rate < 15, frequency < 3 else { return nil }
            isVersion1 = version == 3
            isMono = word >> 6 & 3 == 3
            samplesPerSecond =
                [44_100, 48_000, 32_000][frequency] / (version == 3 ? 1 : version == 2 ? 2 : 4)
            bitsPerSecond = Self.rates[isVersion1 ? layer - 1 : layer == 1 ? 3 : 4][rate - 1] * 1_000
            samples = layer == 1 ? 384 : layer == 3 && !isVersion1 ? 576 : 1_152
            let padding = word >> 9 & 1
            length =
                layer == 1
                ? (12 * bitsPerSecond / samplesPerSecond + padding) * 4
                : samples / 8 * bitsPerSecond / samplesPerSecond + padding
        }

        /// Kilobits a second by the header's number, from 1 on.
        private static let rates = [
            [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
            [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
            [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
            [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
            [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
        ]
    }

    /// The length in seconds of the frames from `start` to `end`; nil if no frame is found.
    static func duration(_ file: inout WindowedFile, from start: Int64, to end: Int64) -> Double? {
        guard let (offset, frame) = firstFrame(&file, from: start) else { return nil }
        let samples = Double(frame.samples) / Double(frame.samplesPerSecond)
        // Files of varying bit rate say how many frames there are, in a first frame without sound.
        let side = frame.isVersion1 ? (frame.isMono ? 17 : 32) : (frame.isMono ? 9 : 17)
        if let head = file.available(at: offset, upTo: 64) {
            if let name = head.part(4 + side, 4),
                name.elementsEqual("Xing".utf8) || name.elementsEqual("Info".utf8),
                let flags = head.big32(8 + side), flags & 1 != 0, let count = head.big32(12 + side), count > 0
            {
                return Double(count) * samples
            }
            if head.part(36, 4)?.elementsEqual("VBRI".utf8) == true, let count = head.big32(50), count > 0 {
                return Double(count) * samples
            }
        }
        return end > offset ? Double(end - offset) * 8 / Double(frame.bitsPerSecond) : nil
    }

    /// Finds two frames in a row, or one that fills the file.
    private static func firstFrame(_ file: inout WindowedFile, from start: Int64) -> (Int64, Frame)? {
        var searched: Int64 = 0
        while searched < searchLimit, let block = file.available(at: start + searched, upTo: 4_096),
            block.count >= 4
        {
            for index in 0...(block.count - 4) where block.byte(index) == 0xFF {
                guard let head = block.part(index, 4), let frame = Frame(head) else { continue }
                let offset = start + searched + Int64(index)
                let next = offset + Int64(frame.length)
                if next == file.size { return (offset, frame) }
                guard let following = file.bytes(at: next, count: 4), let second = Frame(following),
                    second.samplesPerSecond == frame.samplesPerSecond, second.samples == frame.samples
                else { continue }
                return (offset, frame)
            }
            // A header may lie across the end of the block.
            searched += Int64(block.count) - 3
            if block.count < 4_096 { break }
        }
        return nil
    }
}

import EscrowEgress

/// A part of a file of the individual's: what is left of an upload that was cut off.
final class PartOfFile: RequestFile {
    private let file: OpenAsset
    private var skip: Int
    private var left: Int

    let size: Int
    var mediaType: String { file.mediaType }

    /// The part must lie in the file.
    init(_ file: OpenAsset, _ part: Range<Int>) {
        self.file = file
        skip = part.lowerBound
        size = part.count
        left = part.count
    }

    func read(_ count: Int) -> [UInt8]? {
        // What is left out is read and dropped: a file that is served without what it says of itself has no offsets.
        while skip > 0 {
            guard let dropped = file.read(min(skip, 1 << 16)), !dropped.isEmpty else { return nil }
            skip -= dropped.count
        }
        guard left > 0, let bytes = file.read(min(count, left)) else { return left > 0 ? nil : [] }
        left -= bytes.count
        return bytes
    }
}

/// Bytes that a plugin made, to be sent.
final class MadeFile: RequestFile {
    private var bytes: ArraySlice<UInt8>
    let size: Int
    let mediaType: String
    var isMade: Bool { true }

    init(_ bytes: [UInt8], mediaType: String) {
        self.bytes = bytes[...]
        size = bytes.count
        self.mediaType = mediaType
    }

    func read(_ count: Int) -> [UInt8]? {
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }
}

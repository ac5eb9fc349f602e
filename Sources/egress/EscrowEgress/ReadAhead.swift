/// A file of which the first bytes are read before the request's moment is waited for.
///
/// A part of a file is found by reading what lies before it, which takes the longer the further in it lies: after the head has left
/// a server would see how long.
final class ReadAhead: RequestFile {
    private let file: any RequestFile
    private var first: [UInt8]?

    let size: Int
    let mediaType: String
    let isMade: Bool

    init(_ file: any RequestFile) {
        (size, mediaType, isMade) = (file.size, file.mediaType, file.isMade)
        self.file = file
        first = file.read(min(size, 1 << 16))
    }

    func read(_ count: Int) -> [UInt8]? {
        guard let first else { return nil }
        guard !first.isEmpty else { return file.read(count) }
        self.first = Array(first.dropFirst(count))
        return Array(first.prefix(count))
    }
}

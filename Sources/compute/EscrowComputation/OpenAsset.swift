import EscrowEgress
package import EscrowFiles
import EscrowMinimisation
package import EscrowSchema
import Glibc

/// A file of the individual's, open for the one plugin that was given its handle.
package final class OpenAsset: RequestFile {
    /// Its length in bytes when it was opened.
    package private(set) var size: Int
    /// Its media type, from the source, until its bytes were looked at.
    package var mediaType: String
    private let file: Descriptor
    /// What of it is handed out, where that is not the whole.
    private var parts: [Range<Int>]?
    /// The part that is handed out next, and the place in the file up to which it was.
    private var part = 0
    private var place = 0

    /// Opens a file of a plugin's test case; nil if it is gone or no regular file. It may be of any size: it is read and sent
    /// piece by piece, and the run's limit counts its bytes.
    package convenience init?(path: String, mediaType: String) {
        guard let file = try? Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else {
            return nil
        }
        self.init(file, mediaType: mediaType)
    }

    /// Takes over an open file; nil if it is no regular one.
    package init?(_ file: consuming Descriptor, mediaType: String) {
        var status = stat()
        guard fstat(file.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int(status.st_size)
        self.mediaType = mediaType
        self.file = file
    }

    /// The first bytes, up to so many; what is read next stays the same.
    package func head(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, let more = read(at: bytes.count, count - bytes.count), !more.isEmpty {
            bytes += more
        }
        return bytes
    }

    /// Leaves out what a picture says of itself; false if that cannot be done. Before anything is read.
    package func strip(_ mediaType: String) -> Bool {
        guard let kept = PictureStrip.kept(of: mediaType, size: size, read: { self.read(at: $0, $1) }) else {
            return false
        }
        parts = kept
        size = kept.reduce(0) { $0 + $1.count }
        return true
    }

    /// The next bytes; empty at the end, nil if the file cannot be read.
    package func read(_ count: Int) -> [UInt8]? {
        guard let parts else { return try? file.read(count) }
        guard part < parts.count else { return [] }
        let from = max(place, parts[part].lowerBound)
        let end = parts[part].upperBound
        guard let bytes = read(at: from, min(count, end - from)), !bytes.isEmpty else { return nil }
        place = from + bytes.count
        if place == end { part += 1 }
        return bytes
    }

    private func read(at offset: Int, _ count: Int) -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let got = retrying { pread(file.raw, buffer.baseAddress, count, off_t(offset)) }
            failed = got < 0
            filled = max(0, got)
        }
        return failed ? nil : bytes
    }
}

extension AssetTable: AssetReader {
    package func open(_ handle: String) -> OpenAsset? {
        guard let asset = delivered(handle) else { return nil }
        let raw = asset.open()
        return raw < 0 ? nil : OpenAsset(Descriptor(owning: raw), mediaType: asset.mediaType)
    }
}

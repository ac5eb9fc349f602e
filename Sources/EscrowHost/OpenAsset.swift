import EscrowFiles
import EscrowSchema
import Glibc

/// A file of the individual's, open for the one plugin that was given its handle.
final class OpenAsset {
    /// Its length in bytes when it was opened.
    let size: Int
    /// Its media type, from the source.
    let mediaType: String
    private let file: Descriptor

    /// Opens a file; nil if it is gone or no regular file any more. Symlinks are not followed: the file must be the one that
    /// the source listed. It may be of any size: it is read and sent piece by piece, and the run's limit counts its bytes.
    convenience init?(path: String, mediaType: String) {
        guard let file = try? Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else {
            return nil
        }
        self.init(file, mediaType: mediaType)
    }

    /// Takes over an open file; nil if it is no regular one.
    init?(_ file: consuming Descriptor, mediaType: String) {
        var status = stat()
        guard fstat(file.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int(status.st_size)
        self.mediaType = mediaType
        self.file = file
    }

    /// The next bytes; empty at the end, nil if the file cannot be read.
    func read(_ count: Int) -> [UInt8]? { try? file.read(count) }
}

extension AssetTable: AssetReader {
    func open(_ handle: String) -> OpenAsset? {
        guard let asset = delivered(handle) else { return nil }
        guard let opening = asset.opening else {
            return OpenAsset(path: asset.path, mediaType: asset.mediaType)
        }
        let raw = opening()
        return raw < 0 ? nil : OpenAsset(Descriptor(owning: raw), mediaType: asset.mediaType)
    }
}

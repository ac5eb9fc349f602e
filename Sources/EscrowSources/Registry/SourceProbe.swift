internal import EscrowDiagnostics
internal import Glibc

/// A first look at a path that the person wants to add.
enum SourceProbe {
    /// Checks that a path can be opened and holds at least one file of the kind.
    ///
    /// - Throws: E0803 or E0804.
    static func check(_ path: String, looksLike kind: SourceKind) throws(Diagnostic) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .sourceNotFound(path, errno: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: try checkFolder(path, kind)
        case S_IFREG: try checkFile(path, kind)
        default: throw .notOfKind(kind, path, "it is neither a file nor a folder")
        }
    }

    private static func checkFolder(_ path: String, _ kind: SourceKind) throws(Diagnostic) {
        guard Descriptor.openingRoot(path) != nil else { throw .sourceNotFound(path, errno: errno) }
        let listing = try FolderWalk(classify: kind.classify) { _, _ in }.list([path])
        guard listing.files.isEmpty else { return }
        throw .notOfKind(kind, path, "the folder holds " + kind.nothingFound)
    }

    private static func checkFile(_ path: String, _ kind: SourceKind) throws(Diagnostic) {
        guard let file = Descriptor.openingRootFile(path) else { throw .sourceNotFound(path, errno: errno) }
        var head = [UInt8](repeating: 0, count: 64 << 10)
        guard let count = file.read(into: &head, range: 0..<head.count, at: 0) else {
            throw .sourceNotFound(path, errno: errno)
        }
        let text = head[..<count]
        switch kind {
        case .photos: throw .notOfKind(kind, path, "it is a file; a photos source is a folder")
        case .contacts:
            // A short look suffices: a card begins at the top, or below a comment.
            let begins = text.indices.contains { text[$0...].prefix(11).equalsIgnoringCase("BEGIN:VCARD") }
            if !begins { throw .notOfKind(kind, path, "no line in its first 64 KiB begins a vCard") }
        case .location:
            var start = text
            if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
            let first = start.trimmed.first
            guard first == UInt8(ascii: "<") || first == UInt8(ascii: "{") || first == 0xFE || first == 0xFF
            else {
                throw .notOfKind(kind, path, "it is neither GPX nor a location history in JSON")
            }
        }
    }
}

extension SourceKind {
    fileprivate var nothingFound: String {
        switch self {
        case .contacts: "no file .vcf or .vcard"
        case .photos: "no picture and no video"
        case .location: "no file .gpx or .json"
        }
    }
}

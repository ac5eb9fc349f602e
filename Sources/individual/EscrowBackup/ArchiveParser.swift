public import EscrowDiagnostics

/// Reads an archive piece by piece: bytes in, entries out, no I/O, memory bounded by one piece and the list of names.
///
/// Each chunk was authenticated before; names are checked all the same, so that not even who knows the passphrase can place
/// a file outside the folder.
public struct ArchiveParser {
    private var pending: [UInt8] = []
    private var remaining: UInt64 = 0
    private var names: Set<String> = []
    private var folders: Set<String> = []
    public private(set) var isDone = false

    public init() {}

    /// Takes the next bytes and hands on what they complete.
    public mutating func feed(
        _ bytes: [UInt8], _ body: (ArchiveEntry) throws(Diagnostic) -> Void
    ) throws(Diagnostic) {
        var rest = bytes[...]
        while !rest.isEmpty || remaining > 0 {
            guard !rest.isEmpty else { return }
            guard !isDone else { throw Self.damaged("something follows its end") }
            if remaining > 0 {
                let piece = rest.prefix(Int(min(remaining, UInt64(rest.count))))
                rest = rest.dropFirst(piece.count)
                remaining -= UInt64(piece.count)
                try body(.bytes(Array(piece)))
                continue
            }
            pending.append(rest.removeFirst())
            guard let entry = try entry() else { continue }
            pending = []
            if case .file(_, _, let size) = entry { remaining = size }
            if entry == .end { isDone = true }
            try body(entry)
        }
    }

    /// The entry whose head lies in `pending`; nil while it is not whole.
    private mutating func entry() throws(Diagnostic) -> ArchiveEntry? {
        guard let kind = pending.first else { return nil }
        guard kind != 0 else { return .end }
        guard kind <= 2 else { throw Self.damaged("there is an entry of no kind") }
        guard pending.count >= 3 else { return nil }
        let length = Int(pending[1]) << 8 | Int(pending[2])
        guard (1...ArchiveEntry.longestPath).contains(length) else {
            throw Self.damaged("a path is too long")
        }
        guard pending.count >= 3 + length + (kind == 2 ? 9 : 0) else { return nil }
        guard let path = String(validating: pending[3..<3 + length], as: UTF8.self), ArchiveEntry.isPath(path)
        else { throw Self.damaged("a path leads elsewhere") }
        try note(path, isFolder: kind == 1)
        guard kind == 2 else { return .folder(path: path) }
        let tail = pending[(3 + length)...]
        guard let mode = tail.first, mode <= 1 else { throw Self.damaged("a file is of no kind") }
        let size = tail.dropFirst().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard size <= ArchiveEntry.largestFile else { throw Self.damaged("a file is too large") }
        return .file(path: path, isExecutable: mode == 1, size: size)
    }

    private mutating func note(_ path: String, isFolder: Bool) throws(Diagnostic) {
        guard names.count < ArchiveEntry.mostEntries else { throw Self.damaged("it has too many files") }
        // Names that differ in spelling alone may be one file on some disks.
        guard names.insert(path).inserted else { throw Self.damaged("a path stands twice") }
        if let slash = path.lastIndex(of: "/"), !folders.contains(String(path[..<slash])) {
            throw Self.damaged("a file comes before its folder")
        }
        if isFolder { folders.insert(path) }
    }

    static func damaged(_ why: String) -> Diagnostic {
        Diagnostic(
            .backupOfSomethingElse, "the backup does not hold an escrow home: \(why); nothing was restored",
            help: "use another copy of the backup")
    }
}

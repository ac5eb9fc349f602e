internal import EscrowTabular
internal import Glibc

/// The files of one kind's sources as they stood when a statement began: names, sizes and times, no content.
///
/// Names lie in one arena, each with a NUL behind it, so a hundred thousand files take a few megabytes. A file's position in `files` is fixed
/// for the statement.
@usableFromInline package struct FileListing: Sendable {
    /// The most files that one kind lists. Row ids keep 19 bits for the file.
    package static let fileLimit = 1 << 19
    /// The deepest folder below a source that is looked into.
    package static let depthLimit = 32

    /// Microseconds within which a file may change twice and show one time of change: file systems count in steps, the
    /// coarsest of two seconds.
    @usableFromInline package static let clockStep: Int64 = 2_000_000

    /// A folder that holds listed files.
    @usableFromInline package struct Directory: Sendable {
        /// The folder's absolute path.
        @usableFromInline package let path: String
        /// The position of the folder that holds it, or nil for a source's own folder.
        package let parent: Int?
        package let name: String
        /// The hash of its path with a slash behind, with which the hashes of its files' paths begin.
        @usableFromInline package let hash: UInt64
        /// The archive that the folder lies in, or is, by its position in ``FileListing/archives``.
        @usableFromInline package let archive: Int?
        /// Which folder it was when it was listed; nil for one in an archive.
        package let identity: FileIdentity?

        package init(
            path: String, parent: Int?, name: String, archive: Int? = nil, identity: FileIdentity? = nil
        ) {
            self.path = path
            self.parent = parent
            self.name = name
            self.archive = archive
            self.identity = identity
            hash = FNV.hash("/".utf8, from: FNV.hash(path.utf8))
        }
    }

    @usableFromInline package struct File: Sendable {
        /// The position of its folder, or -1 if the file itself was given as the source.
        @usableFromInline package let directory: Int32
        /// What the caller's `classify` said about the name.
        package let kind: UInt8
        /// Whether size, time and i-node are known; if not, they are zero until ``learn(_:_:)``.
        @usableFromInline package fileprivate(set) var isKnown: Bool
        /// Where the name lies in the arena.
        @usableFromInline package let nameStart: UInt32
        @usableFromInline package let nameCount: UInt16
        /// The source, by its position in the list of sources.
        @usableFromInline package let root: UInt16
        @usableFromInline package fileprivate(set) var size: Int64 = 0
        /// Time of last change, in microseconds since the epoch.
        @usableFromInline package fileprivate(set) var modified: Int64 = 0
        @usableFromInline package fileprivate(set) var inode: UInt64 = 0
        /// ``FileStatus/touched``.
        @usableFromInline package fileprivate(set) var touched: Int64 = 0
        /// ``FileStatus/latest``.
        @inlinable package var latest: Int64 { max(modified, touched) }
    }

    /// A file that is not listed itself but may tell more of those that are: ``FileChoice/isCompanion(_:)``.
    package struct Companion: Equatable {
        /// The position of its folder.
        package let directory: Int32
        package let name: [UInt8]
        package let status: FileStatus
    }

    @usableFromInline package private(set) var directories: [Directory] = []
    @usableFromInline package private(set) var files: [File] = []
    /// Archives whose members are listed as files.
    package private(set) var archives: [ListedArchive] = []
    @usableFromInline var names: [UInt8] = []
    /// What lies beside the files, folder by folder and sorted by name; known where ``state`` is.
    package var companions: [Companion] = []
    /// Equal in two listings only if nothing changed in between, neither files nor what lies beside them. Nil where folders
    /// are not watched.
    package var state: UInt64?
    /// The sources' paths.
    @usableFromInline package let roots: [String]

    /// When the listing was begun, in microseconds since the epoch: each file was as it is listed then or later.
    @usableFromInline package var begun = Timestamp.currentTime.microseconds
    /// The same by the finest clock: `begun` is in whole seconds, and so may be before what was listed was written.
    package private(set) var begunExactly = Self.clock()

    package init(roots: [String]) { self.roots = roots }

    /// A listing of the same folders, with no files yet, and without its state: what archives tell of each other's members does not
    /// show in that.
    package init(foldersOf other: FileListing) {
        roots = other.roots
        directories = other.directories
        begun = other.begun
        begunExactly = other.begunExactly
    }

    private static func clock() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
    }

    @inlinable package func key(_ index: Int) -> FileKey {
        let file = files[index]
        let hash =
            file.directory < 0
            ? FNV.hash(path(index).utf8)
            : FNV.hash(nameBytes(index), from: directories[Int(file.directory)].hash)
        return FileKey(
            path: hash, inode: file.inode, size: file.size, modified: file.modified, touched: file.touched)
    }

    /// Whether a file that changes now would get another time of change than the listed one. File systems count time in steps, so
    /// what was written a moment ago may change once more without a sign of it.
    @inlinable package func isSettled(_ index: Int) -> Bool { files[index].latest < begun - Self.clockStep }

    @inlinable package func nameBytes(_ index: Int) -> ArraySlice<UInt8> {
        let start = Int(files[index].nameStart)
        return names[start..<start + Int(files[index].nameCount)]
    }

    /// Gives a file's name as C has it.
    package func withName<Result>(_ index: Int, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        names.withUnsafeBytes {
            let start = $0.baseAddress!.advanced(by: Int(files[index].nameStart))
            return body(start.assumingMemoryBound(to: CChar.self))
        }
    }

    @inlinable package func name(_ index: Int) -> String { String(decoding: nameBytes(index), as: UTF8.self) }

    /// A file's absolute path.
    @inlinable package func path(_ index: Int) -> String {
        let directory = Int(files[index].directory)
        if directory < 0 { return roots[Int(files[index].root)] }
        let (base, name) = (directories[directory].path.utf8, nameBytes(index))
        // In one piece: the path of each picture is made when its asset is asked for.
        return String(unsafeUninitializedCapacity: base.count + 1 + name.count) { bytes in
            var count = bytes.initialize(fromContentsOf: base)
            if base.last != UInt8(ascii: "/") {
                bytes[count] = UInt8(ascii: "/")
                count += 1
            }
            return bytes[count...].initialize(fromContentsOf: name)
        }
    }

    /// A file's path as the owner thinks of it: below the source's folder, or the file's own name.
    package func relativePath(_ index: Int) -> String {
        let full = path(index)
        let root = roots[Int(files[index].root)]
        guard files[index].directory >= 0, full.hasPrefix(root) else { return name(index) }
        return String(full.dropFirst(root.count).drop { $0 == "/" })
    }

    /// The archive that a file lies in, and its entry there; nil for a file of its own.
    package func member(_ index: Int) -> (archive: Int, entry: ZipArchive.Entry)? {
        let directory = Int(files[index].directory)
        guard directory >= 0, let archive = directories[directory].archive else { return nil }
        return (archive, archives[archive].entries[index - archives[archive].firstFile])
    }

    /// Whether a file lies in an archive.
    @inlinable package func isMember(_ index: Int) -> Bool {
        let directory = Int(files[index].directory)
        return directory >= 0 && directories[directory].archive != nil
    }

    /// What is known of a file's state; nil if it was not looked at.
    @inlinable package func status(_ index: Int) -> FileStatus? {
        let file = files[index]
        guard file.isKnown else { return nil }
        return FileStatus(
            size: file.size, modified: file.modified, inode: file.inode, touched: file.touched)
    }

    /// Adds an archive, whose entries are the files that are added next.
    mutating func addArchive(_ archive: ListedArchive) -> Int {
        archives.append(archive)
        return archives.count - 1
    }

    mutating func addDirectory(_ directory: Directory) -> Int {
        directories.append(directory)
        return directories.count - 1
    }

    /// Adds a file; false when the listing is full.
    ///
    /// - Parameter status: nil if it is to be looked at later, by ``learn(_:_:)``.
    mutating func addFile(
        name: some Collection<UInt8>, kind: UInt8, directory: Int, root: Int, status: FileStatus?
    ) -> Bool {
        guard files.count < Self.fileLimit, name.count <= Int(UInt16.max),
            names.count < Int(UInt32.max) - name.count
        else { return false }
        files.append(
            File(
                directory: Int32(directory), kind: kind, isKnown: false, nameStart: UInt32(names.count),
                nameCount: UInt16(name.count), root: UInt16(root)))
        names.append(contentsOf: name)
        names.append(0)
        if let status { learn(files.count - 1, status) }
        return true
    }

    /// Takes note of a file's size, time and i-node.
    package mutating func learn(_ index: Int, _ status: FileStatus) {
        files[index].size = status.size
        files[index].modified = status.modified
        files[index].inode = status.inode
        files[index].touched = status.touched
        files[index].isKnown = true
    }
}

extension FileProblem {
    package static let tooDeep = FileProblem("more than \(FileListing.depthLimit) folders deep")
    package static let tooManyFiles = FileProblem(
        "more than \(FileListing.fileLimit) files in the sources of this kind")
}

internal import EscrowFiles
package import EscrowTabular
internal import Glibc

/// Opens the files of a listing, one after another, and makes sure that each is still the file that was listed.
///
/// A folder is reached from its source name by name without following links, then kept open while its files are read:
/// a path swapped for a link in the meantime leads nowhere.
///
/// A member of an archive is unpacked into a file without a name, which is gone with the last that has it open.
package struct FileOpener: ~Copyable {
    private var directory: Int32 = -2
    private var descriptor: Descriptor?
    /// The archive that was opened last.
    private var archive: (number: Int, zip: ZipArchive)?
    /// The member that was unpacked last: some readers go through a file twice.
    private var member: (index: Int, file: SharedDescriptor)?

    package init() {}

    /// Opens a file for reading.
    ///
    /// - Returns: the open file, or why it cannot be read.
    package mutating func open(_ index: Int, of listing: FileListing) -> OpenOutcome {
        if let (number, entry) = listing.member(index) {
            return openMember(index, entry, of: number, in: listing)
        }
        let file = listing.files[index]
        let status = FileStatus(size: file.size, modified: file.modified, inode: file.inode)
        return open(listing.name(index), in: file.directory, root: Int(file.root), status, of: listing)
    }

    private mutating func open(
        _ name: String, in folder: Int32, root: Int, _ listed: FileStatus, of listing: FileListing
    ) -> OpenOutcome {
        let opened: Descriptor?
        if folder < 0 {
            opened = Descriptor.openingRootFile(listing.roots[root])
        } else {
            enter(folder, of: listing)
            switch descriptor {
            case .some(let folder): opened = folder.openFile(name)
            case .none: opened = nil
            }
        }
        guard let opened else {
            let code = errno
            if descriptor == nil { directory = -2 }
            if code == ESTALE { return .problem(.changed) }
            return .problem(code == ELOOP ? .symbolicLink : .unreadable(errno: code))
        }
        guard let status = opened.status() else { return .problem(.unreadable(errno: errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .problem(.notRegular) }
        let now = FileStatus(status)
        guard now.inode == listed.inode, now.size == listed.size, now.modified == listed.modified else {
            return .problem(.changed)
        }
        return .opened(opened)
    }

    private mutating func openMember(
        _ index: Int, _ entry: ZipArchive.Entry, of number: Int, in listing: FileListing
    ) -> OpenOutcome {
        if member?.index != index {
            // The one before needs its room on the disk no more.
            member = nil
            do throws(ZipArchive.Refusal) {
                member = (index, SharedDescriptor(try openArchive(number, of: listing).open(entry)))
            } catch {
                return .problem(error.problem)
            }
        }
        guard let copy = member?.file.duplicate() else { return .problem(.unreadable(errno: errno)) }
        return .opened(copy)
    }

    private mutating func openArchive(
        _ number: Int, of listing: FileListing
    ) throws(ZipArchive.Refusal) -> ZipArchive {
        if let archive, archive.number == number { return archive.zip }
        let listed = listing.archives[number]
        switch open(listed.name, in: listed.directory, root: listed.root, listed.status, of: listing) {
        case .problem(let problem): throw ZipArchive.Refusal(problem)
        case .opened(let file):
            let zip = ZipArchive(knownBefore: SharedDescriptor(file), size: listed.status.size)
            archive = (number, zip)
            return zip
        }
    }

    /// How much of a packed picture is unpacked for its header at first.
    private static let beginning: Int64 = 512 << 10

    /// Reads the header of a file. Of a member of an archive only the beginning is unpacked, or nothing if it is not packed, unless the
    /// reader asks for more.
    package mutating func readHeader<Result>(
        _ index: Int, of listing: FileListing, _ body: (inout WindowedFile) -> Result
    ) -> HeaderOutcome<Result> {
        let size = listing.files[index].size
        if let (number, entry) = listing.member(index), size > Self.beginning || entry.method == 0 {
            do throws(ZipArchive.Refusal) {
                var window = try openArchive(number, of: listing)
                    .beginning(of: entry, limit: Self.beginning)
                let result = body(&window)
                if !window.wasShort { return .read(result) }
            } catch {
                return .problem(error.problem)
            }
        }
        switch open(index, of: listing) {
        case .problem(let problem): return .problem(problem)
        case .opened(let file):
            var window = WindowedFile(file, size: size)
            return .read(body(&window))
        }
    }

    /// The content of an archive's entry that is not listed itself.
    package mutating func read(
        _ entry: ZipArchive.Entry, of number: Int, in listing: FileListing, limit: Int
    ) throws(ZipArchive.Refusal) -> [UInt8] {
        try openArchive(number, of: listing).bytes(entry, limit: limit)
    }

    /// Looks at a file whose size, time and i-node the listing left out.
    package mutating func look(at index: Int, of listing: FileListing) -> LookOutcome {
        let file = listing.files[index]
        enter(file.directory, of: listing)
        var status = stat()
        let isFound: Bool
        switch descriptor {
        case .some(let folder):
            isFound = listing.withName(index) {
                fstatat(folder.raw, $0, &status, AT_SYMLINK_NOFOLLOW) == 0
            }
        case .none: isFound = false
        }
        guard isFound else {
            let code = errno
            if descriptor == nil { directory = -2 }
            return code == ENOENT ? .gone : .problem(.unreadable(errno: code))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            return .problem(status.st_mode & S_IFMT == S_IFLNK ? .symbolicLink : .notRegular)
        }
        return .found(FileStatus(status))
    }

    /// When a file came into being on its disk; nil where the file system does not tell, or the file is gone.
    package mutating func birth(of index: Int, in listing: FileListing) -> Timestamp? {
        let file = listing.files[index]
        guard listing.member(index) == nil else { return nil }
        guard file.directory >= 0 else {
            return BirthTime.read(AT_FDCWD, listing.roots[Int(file.root)], followsLinks: true)
        }
        enter(file.directory, of: listing)
        switch descriptor {
        case .some(let folder):
            let raw = folder.raw
            return listing.withName(index) { BirthTime.read(raw, $0) }
        case .none:
            directory = -2
            return nil
        }
    }

    /// Gives the folder that a listed file lies in, if it can be opened; a source's own file has none.
    package mutating func withFolder(
        of index: Int, in listing: FileListing, _ body: (_ folder: borrowing Descriptor) -> Void
    ) {
        guard listing.files[index].directory >= 0, listing.member(index) == nil else { return }
        enter(listing.files[index].directory, of: listing)
        switch descriptor {
        case .some(let folder): body(folder)
        case .none: directory = -2
        }
    }

    private mutating func enter(_ position: Int32, of listing: FileListing) {
        guard directory != position else { return }
        descriptor = Self.openDirectory(Int(position), of: listing)
        directory = position
    }

    /// Opens what lies beside a file of the listing under its name with `ending` appended; negative if there is nothing.
    package mutating func openSibling(_ ending: String, of index: Int, in listing: FileListing) -> Int32 {
        let file = listing.files[index]
        guard listing.member(index) == nil else {
            errno = ENOENT
            return -1
        }
        // The owner named the file, links included, and means what lies beside its real place.
        if file.directory < 0 {
            guard let real = realpath(listing.roots[Int(file.root)], nil) else { return -1 }
            defer { free(real) }
            return Glibc.open(
                String(cString: real) + ending, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        }
        enter(file.directory, of: listing)
        switch descriptor {
        case .some(let folder):
            return openat(
                folder.raw, listing.name(index) + ending,
                O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        case .none:
            directory = -2
            return -1
        }
    }

    private static func openDirectory(_ index: Int, of listing: FileListing) -> Descriptor? {
        guard let opened = openByName(index, of: listing) else { return nil }
        // Another folder has its name now: what lies in it was never listed.
        guard listing.directories[index].identity == FileIdentity(descriptor: opened.raw) else {
            errno = ESTALE
            return nil
        }
        return opened
    }

    private static func openByName(_ index: Int, of listing: FileListing) -> Descriptor? {
        let directory = listing.directories[index]
        guard let parent = directory.parent else { return Descriptor.openingRoot(directory.path) }
        switch openDirectory(parent, of: listing) {
        case .some(let above): return above.openDirectory(directory.name)
        case .none: return nil
        }
    }
}

/// What came of opening a listed file.
package enum OpenOutcome: ~Copyable {
    case opened(Descriptor)
    case problem(FileProblem)
}

/// What came of reading a listed file's header.
package enum HeaderOutcome<Result> {
    case read(Result)
    case problem(FileProblem)
}

/// What came of looking at a listed file.
package enum LookOutcome {
    case found(FileStatus)
    /// There is no such file any more: as if it had never been there.
    case gone
    case problem(FileProblem)
}

internal import EscrowFiles
internal import Glibc

/// A zip archive whose wanted members stand in a listing as files, below a folder with the archive's own name.
package struct ListedArchive {
    /// The position of the folder that it lies in, or -1 if the archive itself was given as the source.
    package let directory: Int32
    package let name: String
    /// The source, by its position in the list of sources.
    package let root: Int
    package let status: FileStatus
    /// The position of its first member among the listing's files; the others follow.
    package let firstFile: Int
    package let entries: [ZipArchive.Entry]
    /// Entries that tell more of files, in this archive or in others: see ``FileChoice/isCompanion(_:)``.
    package let companions: [ZipArchive.Entry]

    /// What stands for an archive among the kinds of files until its members take its place.
    package static let kind: UInt8 = 253
    /// What stands for a tar archive, which is not read.
    package static let tarKind: UInt8 = 252

    /// Whether a file is a tar archive by its ending: Takeout makes `.tgz` for who does not want `.zip`.
    package static func isTar(_ ending: String) -> Bool { ["tgz", "tar", "gz"].contains(ending) }

    /// Whether a file begins as gzip, or as tar does.
    package static func isTar(head: ArraySlice<UInt8>) -> Bool {
        head.starts(with: [0x1F, 0x8B]) || head.dropFirst(257).starts(with: "ustar".utf8)
    }

    /// Of packed tar nothing can be read but from its beginning on: each question would unpack all of it.
    package static let tarReason =
        "a tar archive, which is not read in place; unpack it with tar -xf, or have the export made as .zip"
}

/// Puts the members of archives in the archives' places in a listing.
package struct ArchiveListing {
    package let choice: any FileChoice
    package let memory: ArchiveMemory?
    package let onProblem: (_ path: String, _ problem: FileProblem) -> Void

    package init(
        choice: any FileChoice, memory: ArchiveMemory?,
        onProblem: @escaping (_ path: String, _ problem: FileProblem) -> Void
    ) {
        self.choice = choice
        self.memory = memory
        self.onProblem = onProblem
    }

    /// The listing with members in place of archives.
    package func expanded(_ listing: FileListing) -> FileListing {
        let isArchive = { (file: FileListing.File) in
            file.kind == ListedArchive.kind || file.kind == ListedArchive.tarKind
        }
        guard listing.files.contains(where: isArchive) else { return listing }
        var known = listing
        var opener = FileOpener()
        var result = FileListing(foldersOf: listing)
        for index in listing.files.indices {
            let file = listing.files[index]
            guard isArchive(file) else {
                guard
                    result.addFile(
                        name: listing.nameBytes(index), kind: file.kind, directory: Int(file.directory),
                        root: Int(file.root), status: listing.status(index))
                else {
                    onProblem(listing.path(index), .tooManyFiles)
                    return result
                }
                continue
            }
            if file.kind == ListedArchive.tarKind {
                // Nobody misses other tar files.
                let isExport = listing.nameBytes(index).starts(with: "takeout-".utf8)
                onProblem(listing.path(index), isExport ? FileProblem(ListedArchive.tarReason) : .notThisKind)
                continue
            }
            if !file.isKnown {
                switch opener.look(at: index, of: known) {
                case .found(let status): known.learn(index, status)
                case .gone: continue
                case .problem(let problem):
                    onProblem(listing.path(index), problem)
                    continue
                }
            }
            do throws(ZipArchive.Refusal) {
                let members = try members(index, of: known, &opener)
                if members.allSatisfy({ $0.kind == nil }) {
                    let isSource = file.directory < 0
                    onProblem(listing.path(index), isSource ? Self.nothingWanted : .notThisKind)
                }
                guard add(members, of: index, in: known, to: &result) else {
                    onProblem(listing.path(index), .tooManyFiles)
                    return result
                }
            } catch {
                onProblem(listing.path(index), error.problem)
            }
        }
        return result
    }

    private static let nothingWanted = FileProblem("a zip archive without a file of this kind")

    /// The wanted entries of a listed archive.
    private func members(
        _ index: Int, of listing: FileListing, _ opener: inout FileOpener
    ) throws(ZipArchive.Refusal) -> [ZipArchive.Entry] {
        let path = listing.path(index)
        let file = listing.files[index]
        guard let status = listing.status(index) else { throw ZipArchive.Refusal(.changed) }
        if let known = memory?.members(choice.listName, path, status) { return known }
        switch opener.open(index, of: listing) {
        case .problem(let problem): throw ZipArchive.Refusal(problem)
        case .opened(let descriptor):
            let archive = try ZipArchive(SharedDescriptor(descriptor), size: file.size) {
                isListed($0) && (choice.classifyMember($0) != nil || isCompanion($0))
            }
            var members = archive.entries
            for index in members.indices { members[index].kind = choice.classifyMember(members[index].name) }
            // As a walk through the unpacked folder would meet them, or nearly so.
            members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            for (one, next) in zip(members, members.dropFirst()) where one.name == next.name {
                throw ZipArchive.Refusal("a zip archive with two files of one name")
            }
            guard Self.folderCount(members) <= Self.folderLimit else {
                throw ZipArchive.Refusal("a zip archive with too many folders")
            }
            if listing.isSettled(index) { memory?.keep(members, choice.listName, path, status) }
            return members
        }
    }

    /// Folders cost memory, and a few bytes of an archive can name many.
    private static let folderLimit = 1 << 16
    private static let pathLimit = 1_024

    /// The folders of members that are sorted by their paths: what lies in one stands together.
    private static func folderCount(_ members: [ZipArchive.Entry]) -> Int {
        var count = 0
        var previous = ""
        for path in members.lazy.map(\.name) {
            for stroke in path.utf8.indices where path.utf8[stroke] == UInt8(ascii: "/") {
                if !previous.utf8.starts(with: path.utf8[...stroke]) { count += 1 }
            }
            previous = path
        }
        return count
    }

    /// Hidden members, and what macOS puts beside its own, are left out as in a folder.
    private func isListed(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard path.utf8.count <= Self.pathLimit, parts.count <= FileListing.depthLimit,
            !parts.contains("__MACOSX"), let name = parts.last
        else { return false }
        if choice.readsHidden { return true }
        guard !name.hasPrefix(".") else { return false }
        return choice.hiddenFolderMarker != nil || !parts.contains { $0.hasPrefix(".") }
    }

    private func isCompanion(_ path: String) -> Bool {
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[$0...].dropFirst() } ?? path[...]
        return choice.isCompanion(FileCandidate(name: String(name), folder: "", isRoot: false))
    }

    /// Adds members as files; false when the listing is full.
    private func add(
        _ members: [ZipArchive.Entry], of index: Int, in listing: FileListing, to result: inout FileListing
    ) -> Bool {
        let file = listing.files[index]
        guard let status = listing.status(index) else { return true }
        let name = listing.name(index)
        let listed = members.filter { $0.kind != nil }
        let number = result.addArchive(
            ListedArchive(
                directory: file.directory, name: name, root: Int(file.root), status: status,
                firstFile: result.files.count, entries: listed,
                companions: members.filter { $0.kind == nil }))
        let base = listing.path(index)
        let top = result.addDirectory(
            .init(
                path: base, parent: file.directory < 0 ? nil : Int(file.directory),
                name: file.directory < 0 ? "" : name, archive: number))
        var folders: [Substring: Int] = ["": top]
        for member in listed {
            let path = member.name
            let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
            let folder = Self.folder(path[..<end], base, number, &folders, &result)
            let leaf = path[end...].utf8.drop { $0 == UInt8(ascii: "/") }
            // Its content changes with the archive, and only then.
            let inode = status.inode ^ UInt64(member.sum) << 32 ^ UInt64(bitPattern: status.size)
            let isAdded = result.addFile(
                name: leaf, kind: member.kind ?? 0, directory: folder, root: Int(file.root),
                status: FileStatus(
                    size: member.size, modified: status.modified, inode: inode, touched: status.touched)
            )
            guard isAdded else { return false }
        }
        return true
    }

    private static func folder(
        _ path: Substring, _ base: String, _ archive: Int, _ known: inout [Substring: Int],
        _ listing: inout FileListing
    ) -> Int {
        if let found = known[path] { return found }
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let parent = folder(end.map { path[..<$0] } ?? "", base, archive, &known, &listing)
        let name = end.map { path[path.utf8.index(after: $0)...] } ?? path
        let made = listing.addDirectory(
            .init(path: "\(base)/\(path)", parent: parent, name: String(name), archive: archive))
        known[path] = made
        return made
    }
}

/// The archives of a listing, for who opens their members after the statement's own readers are done.
package final class ListedArchives: Sendable {
    private let listing: FileListing

    package init(_ listing: FileListing) { self.listing = listing }

    /// What opens a listed file that lies in an archive; nil for one that a path leads to.
    package func opening(_ index: Int) -> (@Sendable () -> Int32)? {
        guard listing.member(index) != nil else { return nil }
        return { self.open(index) }
    }

    /// Unpacks a member, by its position in the listing: a descriptor for the caller to own, or -1.
    private func open(_ index: Int) -> Int32 {
        var opener = FileOpener()
        switch opener.open(index, of: listing) {
        case .problem: return -1
        case .opened(let file): return file.release()
        }
    }
}

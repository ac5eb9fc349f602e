internal import EscrowFiles
internal import EscrowFormats
internal import EscrowJSON
internal import EscrowMediaFormats
internal import EscrowSourceFiles
internal import Glibc

/// Finds and reads what lies beside the pictures of one listing.
///
/// A folder's names are listed once; side-cars are small, change without their pictures, and are read each time.
/// Those of pictures in archives lie in the same folder of the same export, which may have several archives: Takeout puts a
/// picture into one part and its side-car into the next.
struct SideCars: ~Copyable {
    private var folders: [Int32: SideCarNames] = [:]
    private var packed: PackedSideCars?
    private var opener = FileOpener()
    private var otherOpener = FileOpener()

    /// Adds what side-cars say to what a picture's header says.
    ///
    /// - Parameter onProblem: told, with the side-car's path, of one that cannot be read.
    mutating func add(
        to facts: inout ImageFacts, of index: Int, in listing: FileListing, zone: LocalZone,
        onProblem: @escaping (_ path: String, _ problem: FileProblem) -> Void
    ) {
        let directory = listing.files[index].directory
        guard directory >= 0 else { return }
        if folders[directory] == nil { folders[directory] = names(beside: index, of: listing) }
        guard let names = folders[directory], !names.isEmpty else { return }
        let picture = listing.name(index)
        let base = listing.directories[Int(directory)].path
        func path(_ name: String) -> String { base.hasSuffix("/") ? base + name : base + "/" + name }
        if let name = names.xmp(of: picture),
            let bytes = read(
                name, beside: index, of: listing, limit: XMPReader.sizeLimit, { onProblem(path(name), $0) }),
            let told = XMPReader.read(bytes[...], zone: zone, onProblem: { onProblem(path(name), $0) })
        {
            facts.fill(from: told)
            facts.replaceWords(by: told)
        }
        if let name = names.takeout(of: picture),
            let bytes = read(
                name, beside: index, of: listing, limit: TakeoutSideCar.sizeLimit,
                { onProblem(path(name), $0) })
        {
            do {
                // Another program's JSON that only looks like one is none.
                if let told = try TakeoutSideCar.read(bytes) { facts.fill(from: told) }
            } catch {
                onProblem(
                    path(name),
                    FileProblem("no JSON that can be read", line: error.position.line, partial: true))
            }
        }
    }

    private mutating func names(beside index: Int, of listing: FileListing) -> SideCarNames {
        guard listing.member(index) != nil else { return opener.sideCars(beside: index, of: listing) }
        let known = packed ?? PackedSideCars(listing)
        packed = known
        return known.names(beside: index, of: listing)
    }

    private mutating func read(
        _ name: String, beside index: Int, of listing: FileListing, limit: Int,
        _ onProblem: (FileProblem) -> Void
    ) -> [UInt8]? {
        guard let (archive, _) = listing.member(index) else {
            return opener.read(name, beside: index, of: listing, limit: limit, onProblem)
        }
        guard let place = packed?.place(of: name, beside: index, of: listing) else { return nil }
        let entry = listing.archives[place.archive].companions[place.entry]
        guard entry.size <= limit else {
            onProblem(FileProblem("a side-car of more than \(limit) bytes", partial: true))
            return nil
        }
        do throws(ZipArchive.Refusal) {
            // A second opener, so that two archives are not opened in turn for each picture.
            return place.archive == archive
                ? try opener.read(entry, of: place.archive, in: listing, limit: limit)
                : try otherOpener.read(entry, of: place.archive, in: listing, limit: limit)
        } catch {
            onProblem(FileProblem(error.problem.reason, partial: true))
            return nil
        }
    }
}

extension FileOpener {
    fileprivate mutating func sideCars(beside index: Int, of listing: FileListing) -> SideCarNames {
        var names = SideCarNames()
        withFolder(of: index, in: listing) { folder in
            guard let entries = FolderEntries(of: folder, readsHidden: false) else { return }
            for item in entries.items where item.kind == .file || item.kind == .untold {
                let name = entries.name(item)
                guard name.suffix(5).contains(UInt8(ascii: ".")) else { continue }
                let text = String(decoding: name, as: UTF8.self)
                names.add(text)
            }
        }
        return names
    }

    /// The content of a file beside a listed one. Tells `onProblem`, and returns nil, if it cannot be read.
    fileprivate mutating func read(
        _ name: String, beside index: Int, of listing: FileListing, limit: Int,
        _ onProblem: (FileProblem) -> Void
    ) -> [UInt8]? {
        var content: [UInt8]?
        withFolder(of: index, in: listing) { folder in
            guard let file = folder.openFile(name), let status = file.status() else {
                // Gone since the folder was listed: as if it had never been there.
                if errno != ENOENT { onProblem(.unreadable(errno: errno)) }
                return
            }
            guard status.st_mode & S_IFMT == S_IFREG else { return onProblem(.notRegular) }
            guard status.st_size <= limit else {
                return onProblem(FileProblem("a side-car of more than \(limit) bytes", partial: true))
            }
            content = file.bytes(at: 0, count: Int(status.st_size))
            if content == nil { onProblem(.unreadable(errno: errno)) }
        }
        return content
    }
}

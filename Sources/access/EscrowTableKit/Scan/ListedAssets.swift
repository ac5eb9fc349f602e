internal import EscrowFiles
package import EscrowSchema
package import EscrowSourceFiles
internal import Glibc

/// Opens the files of a listing once their rows are with a plugin.
///
/// Another user may have replaced a file or a folder since: by a link, or by another folder of the same name. So the
/// source's own folder must be the one that was listed, though links may lead to it; no link below it is followed; and
/// folder and file must be those that were listed.
package final class ListedAssets: AssetFiles {
    private let directories: [FileListing.Directory]
    private let begun: Int64

    package init(_ listing: FileListing) {
        directories = listing.directories
        begun = listing.begunExactly
    }

    package func open(_ path: String, _ place: AssetPlace) -> Int32 {
        guard place.folder >= 0 else {
            return checked(Descriptor.openingRootFile(path), place, device: nil)
        }
        let (root, names) = way(to: Int(place.folder))
        guard let top = Descriptor.openingRoot(root.path),
            root.identity == FileIdentity(descriptor: top.raw),
            let name = path.split(separator: "/").last
        else { return -1 }
        guard !names.isEmpty else { return file(String(name), in: top, place) }
        guard let folder = top.openBeneath(names.joined(separator: "/"), O_RDONLY | O_DIRECTORY) else {
            return -1
        }
        return file(String(name), in: folder, place)
    }

    private func file(_ name: String, in folder: borrowing Descriptor, _ place: AssetPlace) -> Int32 {
        guard let status = folder.status(),
            directories[Int(place.folder)].identity == FileIdentity(status)
        else { return -1 }
        let file = folder.openBeneath(name, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        return checked(file, place, device: status.st_dev)
    }

    /// The source's own folder above a folder, and the names that lead down from it.
    private func way(to folder: Int) -> (root: FileListing.Directory, names: [String]) {
        var names: [String] = []
        var directory = directories[folder]
        while let parent = directory.parent {
            names.append(directory.name)
            directory = directories[parent]
        }
        return (directory, names.reversed())
    }

    private func checked(_ file: consuming Descriptor?, _ place: AssetPlace, device: dev_t?) -> Int32 {
        guard let file, let status = file.status(), status.st_mode & S_IFMT == S_IFREG,
            device == nil || device == status.st_dev
        else { return -1 }
        let now = FileStatus(status)
        if let state = place.state {
            guard state.inode == now.inode, state.size == now.size, state.modified == now.modified else {
                return -1
            }
        } else {
            // Nobody looked at it when it was listed. What was put there since has been touched since.
            guard now.touched <= begun else { return -1 }
        }
        return file.release()
    }
}

extension FileListing {
    /// Where a listed file lies, for ``ListedAssets``.
    package func place(_ index: Int) -> AssetPlace {
        let file = files[index]
        guard file.isKnown else { return AssetPlace(folder: file.directory, state: nil) }
        return AssetPlace(
            folder: file.directory, state: .init(inode: file.inode, size: file.size, modified: file.modified))
    }
}

/// Opens the files that a catalogue of a photo program names. No folder was listed, so nothing is known of them; but no link
/// of anybody's leads to them.
package final class CatalogueAssets: AssetFiles {
    package static let shared = CatalogueAssets()

    package func open(_ path: String, _ place: AssetPlace) -> Int32 {
        guard let top = Descriptor.openingRoot("/"),
            let file = top.openBeneath(
                String(path.drop { $0 == "/" }), O_RDONLY | O_NOCTTY | O_NONBLOCK),
            let status = file.status(), status.st_mode & S_IFMT == S_IFREG
        else { return -1 }
        return file.release()
    }
}

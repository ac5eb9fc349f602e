internal import EscrowSourceFiles

/// The address books among the listed files.
struct ContactContainers {
    private let listing: FileListing

    init(_ listing: FileListing) { self.listing = listing }

    /// What tells a file's container from others: the path of a folder of vCards, and else of the file itself.
    func path(of file: Int) -> String {
        let listed = listing.files[file]
        guard listed.kind == ContactFile.cards, listed.directory >= 0 else { return listing.path(file) }
        return listing.directories[Int(listed.directory)].path
    }

    /// The name of a file's container, which is never empty.
    func name(of file: Int) -> String {
        let path = path(of: file)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let isFile = path == listing.path(file)
        guard isFile, let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The first file of each container.
    var firstFiles: [Int] {
        var seen: Set<String> = []
        return listing.files.indices.filter { seen.insert(path(of: $0)).inserted }
    }
}

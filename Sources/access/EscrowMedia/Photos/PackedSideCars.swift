internal import EscrowSourceFiles

/// Where the side-cars of pictures in archives are: by export, and by folder within it.
struct PackedSideCars {
    /// An entry among an archive's companions.
    struct Place {
        let archive: Int
        let entry: Int
    }

    /// The side-cars of one folder by their names; more than one where several archives have one of that name.
    private typealias Folder = [Substring: [Place]]
    private var exports: [String: [Substring: Folder]] = [:]

    init(_ listing: FileListing) {
        for (number, archive) in listing.archives.enumerated() {
            let export = Self.export(number, listing)
            for (position, entry) in archive.companions.enumerated() {
                let (folder, name) = Self.split(entry.name[...])
                exports[export, default: [:]][folder, default: [:]][name, default: []]
                    .append(Place(archive: number, entry: position))
            }
        }
    }

    func names(beside index: Int, of listing: FileListing) -> SideCarNames {
        var names = SideCarNames()
        for name in folder(of: index, listing)?.keys.sorted() ?? [] { names.add(String(name)) }
        return names
    }

    /// Where a side-car of that name is; the picture's own archive comes first.
    func place(of name: String, beside index: Int, of listing: FileListing) -> Place? {
        let found = folder(of: index, listing)?[name[...]] ?? []
        let own = listing.member(index)?.archive
        return found.first { $0.archive == own } ?? found.first
    }

    private func folder(of index: Int, _ listing: FileListing) -> Folder? {
        guard let (number, entry) = listing.member(index) else { return nil }
        return exports[Self.export(number, listing)]?[Self.split(entry.name[...]).folder]
    }

    private static func split(_ path: Substring) -> (folder: Substring, name: Substring) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
        return (path[..<slash], path[path.utf8.index(after: slash)...])
    }

    /// The parts of an export of Takeout's lie in one folder and differ in the numbers at the end:
    /// `takeout-20260301T120000Z-001.zip`, `takeout-20260301T120000Z-1-001.zip`. Any other archive stands for itself.
    private static func export(_ number: Int, _ listing: FileListing) -> String {
        let archive = listing.archives[number]
        let folder =
            archive.directory >= 0
            ? listing.directories[Int(archive.directory)].path[...]
            : split(listing.roots[archive.root][...]).folder
        var name = archive.name[...]
        if let dot = name.lastIndex(of: "."), name.hasPrefix("takeout-") {
            name = name[..<dot]
            for _ in 0..<2 {
                guard let dash = name.lastIndex(of: "-") else { break }
                let part = name[dash...].dropFirst()
                guard (1...4).contains(part.count), part.allSatisfy({ $0.isASCII && $0.isNumber }) else {
                    break
                }
                name = name[..<dash]
            }
        }
        return "\(folder)/\(name)"
    }
}

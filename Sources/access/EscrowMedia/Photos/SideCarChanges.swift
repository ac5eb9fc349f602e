internal import EscrowSourceFiles

/// Which side-cars changed, came or went between two listings of the same sources.
struct SideCarChanges {
    /// The names of those side-cars, by folder of the later listing.
    private var names: [Int32: Set<String>] = [:]
    /// All names of side-cars in a folder with changes: in the earlier listing, and in the later one.
    private var sets: [Int32: [SideCarNames]] = [:]

    /// - Parameter before: for each folder of the later listing, which one it was in the earlier one.
    init(from old: FileListing, to new: FileListing, _ before: [Int?]) {
        let (earlier, later) = (Self.byFolder(old), Self.byFolder(new))
        for (position, folder) in before.enumerated() {
            guard let folder else { continue }
            let (left, right) = (earlier[Int32(folder)] ?? [], later[Int32(position)] ?? [])
            guard left.isEmpty == false || right.isEmpty == false else { continue }
            let changed = Self.changes(left, right)
            guard !changed.isEmpty else { continue }
            names[Int32(position)] = changed
            sets[Int32(position)] = [left, right].map { SideCarNames($0) }
        }
    }

    /// Whether a side-car of this picture of the later listing changed: one that belongs to it now, or did before.
    func concern(_ index: Int, of listing: FileListing) -> Bool {
        let folder = listing.files[index].directory
        guard let changed = names[folder], let sets = sets[folder] else { return false }
        let picture = listing.name(index)
        return sets.contains { set in
            [set.xmp(of: picture), set.takeout(of: picture)].contains {
                $0.map(changed.contains) ?? false
            }
        }
    }

    /// The folders in which a side-car changed so recently that it could change again and keep its time of change.
    static func unsettledFolders(_ listing: FileListing) -> Set<Int32> {
        let settled = listing.begun - FileListing.clockStep
        return Set(
            listing.companions.lazy.filter { $0.status.latest >= settled }
                .map(\.directory))
    }

    private static func byFolder(_ listing: FileListing) -> [Int32: ArraySlice<FileListing.Companion>] {
        // The side-cars of one folder do not always stand side by side: those of a sub-folder may come in between.
        Dictionary(grouping: listing.companions, by: \.directory).mapValues { $0[...] }
    }

    private static func changes(
        _ left: ArraySlice<FileListing.Companion>, _ right: ArraySlice<FileListing.Companion>
    ) -> Set<String> {
        var rest = Dictionary(
            left.map { ($0.name, $0.status) }, uniquingKeysWith: { first, _ in first })
        var changed: Set<String> = []
        for companion in right where rest.removeValue(forKey: companion.name) != companion.status {
            changed.insert(String(decoding: companion.name, as: UTF8.self))
        }
        return changed.union(rest.keys.map { String(decoding: $0, as: UTF8.self) })
    }
}

extension SideCarNames {
    fileprivate init(_ companions: ArraySlice<FileListing.Companion>) {
        self.init()
        for companion in companions { add(String(decoding: companion.name, as: UTF8.self)) }
    }
}
